"""file: the process becomes another program."""

import os

if os.fork() == 0:
    os.execvp("touch", ["touch", "pwned_replaced"])
os.wait()
