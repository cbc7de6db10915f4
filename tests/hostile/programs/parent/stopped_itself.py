"""end: the process leaves, with and without a word."""

import os
import sys

try:
    sys.exit("pwned")
except SystemExit:
    os._exit(3)
