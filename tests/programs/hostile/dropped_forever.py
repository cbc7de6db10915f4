"""time: items are dropped as long as they are true."""

import itertools

x = next(itertools.dropwhile(bool, itertools.repeat(1)))
