"""connection: to a name that is in no folder."""

import socket

x = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
x.connect("\0ABSTRACT")
x.close()
