"""time: a product of ranges is sorted."""

import itertools

x = sorted(itertools.product(range(100), repeat=9))
y = sum(1 for _ in itertools.permutations(range(20)))
