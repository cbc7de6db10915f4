"""file: callbacks, ordered and not, and those of equinox."""

import os

import jax
import jax.numpy as jnp
from jax.experimental import io_callback


def write(x):
    os.mkdir("pwned_callbacks_of_jax" + str(x.ndim))
    return x


x = jax.pure_callback(write, jax.ShapeDtypeStruct((), jnp.float32), jnp.float32(1))
y = io_callback(write, jax.ShapeDtypeStruct((2,), jnp.float32), jnp.ones(2), ordered=True)
jax.debug.callback(write, jnp.ones((2, 2)))
jax.effects_barrier()
