"""connection: a socket at the top level."""

import socket

s = socket.create_connection(("127.0.0.1", 49151), timeout=5)
s.sendall(b"hello")
