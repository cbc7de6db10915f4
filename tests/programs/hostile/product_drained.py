"""time: a queue takes all products of long ranges."""

import collections
import itertools

x = collections.deque(itertools.product(range(100), repeat=9), maxlen=0)
