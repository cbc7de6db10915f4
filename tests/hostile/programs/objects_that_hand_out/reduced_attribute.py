"""state: copy.copy sets the state of an object that a reduction gives."""

import copy

import jax
import jax.numpy as jnp


class Reduced:
    def __reduce_ex__(self, protocol):
        return (lambda: jnp.sin), (), {"pwned": 1}


x = copy.copy(Reduced())
jax.numpy.pwned = 3


class Slots:
    def __reduce_ex__(self, protocol):
        return (lambda: jnp), (), (None, {"pwned_cos": jnp.sin, "cos": jnp.sin})


y = copy.copy(Slots())
