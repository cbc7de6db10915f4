"""process: a copy of the process stays."""

import os
import time

if os.fork() == 0:
    time.sleep(30)
    os._exit(0)
