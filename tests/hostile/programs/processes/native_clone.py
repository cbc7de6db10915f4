"""file: the C library's fork and system."""

import ctypes

libc = ctypes.CDLL(None)
libc.system(b"touch pwned_native_clone")
if libc.vfork is None:
    libc.fork()
