"""file: io_callback's function writes, under jit too."""

import functools

import jax
import jax.numpy as jnp
from jax.experimental import io_callback

touch = functools.partial(open, "pwned_io_callback", "w")
io_callback(lambda: (touch(), jnp.ones(()))[1], jax.ShapeDtypeStruct((), jnp.float32))
y = jax.jit(lambda v: io_callback(lambda u: (touch(), u)[1], v, v, ordered=True))(jnp.ones(3))
