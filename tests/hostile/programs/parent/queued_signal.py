"""kill: the kernel is asked to queue one (x86-64)."""

import ctypes
import os
import signal

libc = ctypes.CDLL(None, use_errno=True)
info = ctypes.create_string_buffer(128)
ctypes.memmove(info, bytes([int(signal.SIGUSR2), 0, 0, 0, 0, 0, 0, 0]) + (-1).to_bytes(4, "little", signed=True), 12)
x = libc.syscall(129, os.getppid(), int(signal.SIGUSR2), info)
y = libc.syscall(234, os.getppid(), os.getppid(), int(signal.SIGUSR1))
