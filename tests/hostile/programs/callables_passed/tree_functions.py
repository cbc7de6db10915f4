"""file: functions for the leaves and the nodes of trees."""

import os

import jax
import jax.numpy as jnp

a = jax.tree.map(os.mkdir, {"x": "pwned_tree_functions"})
b = jax.tree.reduce(os.mkdir, ["pwned_tree_functions_reduce", 0o700])
c = jax.tree_util.tree_map_with_path(lambda path, leaf: os.mkdir(leaf), ["pwned_tree_functions_path"])


class Node:
    name = "pwned_tree_functions_node"


jax.tree_util.register_pytree_node(Node, lambda node: ((open(node.name, "w").name,), None), lambda _, c: c)
d = jax.tree.leaves(Node())
