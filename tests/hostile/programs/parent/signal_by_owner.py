"""kill: a pipe's owner gets a signal when there is something to read."""

import fcntl
import os
import signal

r, w = os.pipe()
fcntl.fcntl(r, fcntl.F_SETOWN, os.getppid())
fcntl.fcntl(r, 10, int(signal.SIGUSR1))
fcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
os.write(w, b"x")
