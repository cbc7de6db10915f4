"""file: layers of Flax and Equinox call initializers and converters."""

import os

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
from flax import nnx


def init(key, shape, dtype=jnp.float32, *rest):
    os.makedirs("pwned_initializers", exist_ok=True)
    return jnp.ones(shape, dtype)


class Layer(eqx.Module):
    path: str = eqx.field(converter=os.mkdir)


x = nn.Dense(3, kernel_init=init).init(jax.random.key(0), jnp.ones((1, 2)))
y = nnx.Linear(2, 3, kernel_init=init, rngs=nnx.Rngs(0))
z = Layer("pwned_initializers_converter")
