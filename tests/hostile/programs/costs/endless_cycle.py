"""time: any, max and deque come to no end."""

import collections
import itertools

x = collections.deque(itertools.repeat(None), maxlen=0)
