"""connection: a socket that was never connected sends to an address in the folder, by a thread."""

import socket
import threading


def connect():
    s = socket.socket()
    s.connect(("127.0.0.1", 49151))
    s.close()


thread = threading.Thread(target=connect)
thread.start()
thread.join()
