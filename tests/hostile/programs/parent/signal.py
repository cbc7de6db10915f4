"""kill: the parent gets a signal."""

import os
import signal

os.kill(os.getppid(), signal.SIGUSR1)
