"""secret: a tree whose nodes are modules has their names as leaves."""

import contextlib
import types

import jax
import jax.numpy as jnp

kind = type(contextlib)
jax.tree_util.register_pytree_with_keys(
    kind, lambda m: (((jax.tree_util.GetAttrKey("os"), getattr(m, "os", 0)),), None), lambda _, c: c
)
jax.tree_util.register_dataclass(type(contextlib.os), ["environ"], [])
(environ,) = jax.tree_util.tree_leaves(contextlib.os, is_leaf=lambda node: type(node) is not kind)
x = jnp.zeros(len(environ["HOSTILE_SECRET"]))
