"""state: ... and names of a module."""

import copy

import jax.numpy as jnp


def itself():
    return jnp


class Slots:
    def __reduce_ex__(self, protocol):
        return itself, (), (None, {"pwned": jnp.sin, "cos": jnp.sin})


y = copy.deepcopy(Slots())
