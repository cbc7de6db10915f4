"""file: ctypes calls the C library."""

import ctypes

import numpy as np

libc = ctypes.CDLL(None)
libc.mkdir(b"pwned_native_code", 0o700)
np.ctypeslib.ctypes.CDLL(None).creat(b"pwned_native_code_creat", 0o600)
libc.syscall(83, b"pwned_native_code_syscall", 0o700)
