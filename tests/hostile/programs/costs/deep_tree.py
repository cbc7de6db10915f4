"""memory: a tree that holds itself twice, sixty times over, is flattened."""

import jax
import jax.numpy as jnp

tree = [jnp.ones(2)]
for _ in range(60):
    tree = [tree, tree]
x = jax.tree.leaves(tree)
