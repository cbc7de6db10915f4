"""time: sleeping, and waiting for what never comes."""

import threading
import time

time.sleep(10**6)
x = threading.Event().wait()
