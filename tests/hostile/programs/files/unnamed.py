"""file: a file without a name is given one later."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
file = os.open("OUT", os.O_TMPFILE | os.O_RDWR, 0o600)
x = libc.linkat(-100, f"/proc/self/fd/{file}".encode(), -100, b"OUT/pwned_unnamed", 0x400)
