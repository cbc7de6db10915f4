"""change: its mode becomes another one; then everybody may write it."""

import os
import pathlib

os.chmod("CANARY_FILE", 0o666)
pathlib.Path("CANARY_FILE").chmod(0o777)
