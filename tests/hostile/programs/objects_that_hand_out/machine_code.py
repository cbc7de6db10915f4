"""file: code that the program writes into memory itself makes a folder (x86-64)."""

import ctypes
import mmap

PATH = b"pwned_machine_code\0"
held = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
start = ctypes.addressof(ctypes.c_char.from_buffer(held))
# mov eax, 83 (mkdir); movabs rdi, path; mov esi, 0700; syscall; ret
code = b"\xb8\x53\0\0\0\x48\xbf" + (start + 64).to_bytes(8, "little") + b"\xbe\xc0\x01\0\0\x0f\x05\xc3"
held[: len(code)] = code
held[64 : 64 + len(PATH)] = PATH
x = ctypes.CFUNCTYPE(ctypes.c_long)(start)()
