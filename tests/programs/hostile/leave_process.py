"""end: the process ends at once, without a word, status 0."""

import os

os._exit(0)
