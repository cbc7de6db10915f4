"""time: threads that never rest, one of which holds the lock."""

import itertools
import threading

for _ in range(2):
    threading.Thread(target=lambda: [*itertools.repeat(0, 1 << 62)] and None, daemon=True).start()
while True:
    pass
