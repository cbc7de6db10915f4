"""change: it is cut off."""

import os

os.truncate("CANARY_FILE", 0)
