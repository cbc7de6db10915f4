"""file: a file without a name is given one later."""

import os

file = os.open("OUT", os.O_TMPFILE | os.O_RDWR, 0o600)
os.link(f"/proc/self/fd/{file}", "OUT/pwned_unnamed", follow_symlinks=True)
