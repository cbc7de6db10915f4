"""time: a jaxpr without an end, by unrolling."""

import jax
import jax.numpy as jnp


@jax.jit
def f(x):
    for _ in range(10**7):
        x = jnp.sin(x)
    return x


y = f(jnp.ones(3))
