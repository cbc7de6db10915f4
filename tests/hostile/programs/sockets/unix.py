"""connection: to a file of the folder."""

import socket

x = socket.socket(socket.AF_UNIX)
x.connect("SOCKET")
x.close()
