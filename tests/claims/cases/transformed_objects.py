"""Objects that can be called, and what JAX's transformations make of them."""

import equinox as eqx
import jax
import jax.numpy as jnp


class Layer:
    def __init__(self):
        self.w = jnp.ones((32, 8))
    def __call__(self, x):
        return self.w @ x
class Module(eqx.Module):
    w: jax.Array
    def __init__(self):
        self.w = jnp.ones((32, 8))
    def __call__(self, x):
        return self.w @ x


# %% an object that is batched after an attribute was read
layer = Layer()
w = layer.w
x = jax.vmap(layer)(jnp.ones((4, 8)))  # P(engine, show, server, true): x: float32[4, 32]
y = jax.vmap(layer, in_axes=1)(jnp.ones((8, 4)))  # P(engine, show, server, true): y: float32[4, 32]
z = layer(jnp.ones(8))  # P(engine, show, server, true): z: float32[32]


# %% a module that is batched after an attribute was read
module = Module()
w = module.w
x = jax.vmap(module)(jnp.ones((4, 8)))  # P(engine, show, server, true): x: float32[4, 32]


# %% an object that is batched twice
layer = Layer()
w = layer.w
x = jax.vmap(jax.vmap(layer))(jnp.ones((2, 4, 8)))  # P(engine, show, server, true): x: float32[2, 4, 32]


# %% a stack of modules that is scanned
from flax import nnx
class Block(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(4, 4, rngs=rngs)
    def __call__(self, x):
        return nnx.relu(self.linear(x))
@nnx.split_rngs(splits=3)
@nnx.vmap(in_axes=0, out_axes=0)
def make(rngs):
    return Block(rngs)
@nnx.scan(in_axes=(nnx.Carry, 0), out_axes=nnx.Carry)
def forward(x, block):
    return block(x)
blocks = make(nnx.Rngs(0))
y = forward(jnp.ones((2, 4)), blocks)  # P(engine, show, server, true): y: float32[2, 4]
