"""forged: the memory of the parent is written into."""

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)
with open(f"/proc/{os.getppid()}/maps") as file:
    ranges = [line.split()[0] for line in file if "[heap]" in line]
start, end = (int(part, 16) for part in ranges[0].split("-"))
held = (ctypes.c_char * 64)()


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


local = Piece(ctypes.addressof(held), 64)
remote = Piece(start, 64)
n = libc.process_vm_readv(os.getppid(), ctypes.byref(local), 1, ctypes.byref(remote), 1, 0)
if n == 64:
    m = libc.process_vm_writev(os.getppid(), ctypes.byref(local), 1, ctypes.byref(remote), 1, 0)
    raise ValueError("pwned_" + "told") if m == 64 else OSError()
