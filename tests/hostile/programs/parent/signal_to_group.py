"""kill: all processes of the group get it."""

import os
import signal

signal.signal(signal.SIGUSR2, signal.SIG_IGN)
os.killpg(os.getpgid(os.getppid()), signal.SIGUSR2)
