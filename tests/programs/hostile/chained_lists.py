"""time: a queue takes a long list many times."""

import collections
import itertools

x = collections.deque(itertools.chain.from_iterable([[1.0] * 90_000] * 90_000 * 20), maxlen=0)
