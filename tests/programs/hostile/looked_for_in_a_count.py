"""time: a number is looked for among those that a counter gives."""

import itertools

x = -1 in itertools.count()
