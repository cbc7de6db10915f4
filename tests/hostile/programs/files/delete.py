"""change: it is deleted."""

import os
import pathlib

os.unlink("CANARY_FILE")
pathlib.Path("SECRET_FILE").unlink()
