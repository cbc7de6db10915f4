"""Functions that declare arrays and that contexts decorate: they are checked in these contexts."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float32, Float64


@jax.enable_x64(True)
def wide(x: Float32[Array, " n"]) -> Float64[Array, " n"]:
    return jnp.zeros(x.shape, jnp.float64)


def narrow(x: Float32[Array, " n"]) -> Float64[Array, " n"]:
    return jnp.zeros(x.shape)  # error
