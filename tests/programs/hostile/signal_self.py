"""end: the process is killed, and its parent asked to go."""

import os
import signal

signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.kill(os.getpid(), signal.SIGKILL)
