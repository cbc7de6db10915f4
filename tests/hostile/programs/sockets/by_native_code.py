"""connection: the C library connects."""

import ctypes
import socket
import struct

libc = ctypes.CDLL(None)
s = libc.socket(2, 1, 0)
address = struct.pack("<H", 2) + struct.pack("!H", 49151) + socket.inet_aton("127.0.0.1") + bytes(8)
x = libc.connect(s, address, 16)
libc.close(s)
