"""secret: a dim counts a variable of the environment, bit by bit."""

import jax.numpy as jnp
from jaxtyping import Array, Float, Int

bits = 0
for i in range(15):
    dim = f'(len(__import__("os").environ["HOSTILE_SECRET"])>>{i}&1)'
    if isinstance(jnp.ones(1), Float[Array, dim]):
        bits += 1 << i
n = jnp.ones((bits, 2))
