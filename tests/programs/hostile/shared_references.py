"""time: a small tree of lists whose leaves are more than can be counted."""

import jax

tree = [1]
for _ in range(60):
    tree = [tree, tree]
x = jax.tree.leaves(tree)
y = jax.tree.map(lambda v: v + 1, tree)
