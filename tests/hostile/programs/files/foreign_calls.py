"""file: system calls by the numbers of another kind of process (x32)."""

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
x = libc.syscall(0x40000000 + 83, b"pwned_foreign_calls_x32", 0o700)
y = libc.syscall(258, -100, b"pwned_foreign_calls", 0o700)
z = libc.syscall(437, -100, b"pwned_foreign_calls_2", (ctypes.c_uint64 * 3)(0o101, 0o600, 0), 24)
