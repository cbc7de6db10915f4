"""memory: products and permutations, in full."""

import itertools

x = list(itertools.product(range(1000), repeat=5))
y = list(itertools.permutations(range(20)))
