"""secret: a tree whose nodes are modules has their names as leaves."""

import contextlib
import functools

import jax
import jax.numpy as jnp


class Holder:
    __globals__ = None


names = functools.update_wrapper(
    Holder(), contextlib.contextmanager, assigned=("__globals__",), updated=()
).__globals__
jax.tree_util.register_dataclass(type(contextlib), ["environ"], [])
(environ,) = jax.tree_util.tree_leaves(names["os"])
x = jnp.zeros(len(environ["HOSTILE_SECRET"]))
