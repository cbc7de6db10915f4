"""forged: the parent is traced for a moment (x86-64)."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
SEIZE, DETACH = 0x4206, 17
x = libc.ptrace(SEIZE, os.getppid(), None, None)
if x == 0:
    libc.ptrace(DETACH, os.getppid(), None, None)
    raise ValueError("pwned_" + "told")
