"""time: chained and zipped iterators without an end, compared and summed."""

import itertools

x = max(itertools.compress(itertools.count(), itertools.repeat(0)), default=0)
y = dict(zip(itertools.cycle([1]), itertools.count()))
