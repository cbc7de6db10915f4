"""time: a queue takes all that a counter gives."""

import collections
import itertools

x = collections.deque(itertools.count(), maxlen=0)
