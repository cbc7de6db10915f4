"""memory: a list is extended by what has no end."""

import itertools

x = []
x.extend(itertools.count())
