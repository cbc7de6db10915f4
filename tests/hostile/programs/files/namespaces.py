"""file: a new user namespace gives all rights in it, and mounts over what is there."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
x = libc.unshare(0x10000000 | 0x00020000)
os.mkdir("pwned_namespaces")
