"""file: functools.wraps assigns what it is told to, with the insides of a library's function."""

import functools

import jax.numpy as jnp


@functools.wraps(jnp.stack, assigned=["__globals__"], updated=())
class Taker:
    pass


x = Taker.__globals__["__builtins__"]["open"]("pwned_wrapped_assigned", "w")
