"""crash: a list that holds itself, given to JAX."""

import jax

loop = []
loop.append(loop)
x = jax.tree.leaves(loop)
