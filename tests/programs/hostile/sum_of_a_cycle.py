"""time: the sum of what has no end."""

import itertools
import math

x = math.fsum(itertools.cycle([1.0, -1.0]))
