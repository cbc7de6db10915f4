"""connection: a socket connects."""

import socket

x = socket.create_connection(("127.0.0.1", 49151))
x.sendall(b"pwned")
x.close()
