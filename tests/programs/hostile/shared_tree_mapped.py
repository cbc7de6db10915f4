"""time: JAX maps a tree of the same trees."""

import jax

x = [1.0]
for _ in range(15):
    x = [x, x]
for _ in range(15):
    x = [x, x]
for _ in range(15):
    x = [x, x]
y = jax.tree.map(lambda leaf: leaf, x)
z = jax.tree.structure(x)
