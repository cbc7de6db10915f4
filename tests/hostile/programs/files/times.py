"""change: its times are set."""

import os

os.utime("CANARY_FILE", (1, 1))
