"""crash: a list nested deeply, shown and given to JAX."""

import sys

import jax

sys.setrecursionlimit(10**8)
deep = []
for _ in range(10**6):
    deep = [deep]
y = repr(deep)
x = jax.tree.leaves(deep)
z = jax.tree.map(lambda v: v, deep)
