"""file: ... itself, so that it no longer answers."""

import os

os.execv("/bin/sh", ["sh", "-c", "touch pwned_replaced_itself"])
