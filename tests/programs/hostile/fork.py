"""process: a copy of the process that stays."""

import os
import time

if os.fork() == 0:
    time.sleep(30)
    os._exit(0)
time.sleep(1)
x = 1
