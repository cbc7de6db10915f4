"""file: what is called when the process ends, or a thread begins."""

import atexit
import os
import threading

atexit.register(os.mkdir, "pwned_exit_handlers_exit")
thread = threading.Thread(target=os.mkdir, args=("pwned_exit_handlers",))
thread.start()
thread.join()
