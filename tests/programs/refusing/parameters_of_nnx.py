"""Layers of Flax nnx and of Equinox that get inputs which they were not made for."""

import equinox as eqx
import jax
import jax.numpy as jnp
from flax import nnx

KEY = jax.random.key(0)


class Encoder(nnx.Module):
    def __init__(self, rngs):
        self.first = nnx.Linear(6, 8, rngs=rngs)
        self.norm = nnx.LayerNorm(8, rngs=rngs)
        self.second = nnx.Linear(8, 2, rngs=rngs)

    def __call__(self, x):
        return self.second(self.norm(nnx.relu(self.first(x))))  # or


class Decoder(eqx.Module):
    inner: eqx.nn.Linear
    outer: eqx.nn.Linear

    def __init__(self, key):
        inner, outer = jax.random.split(key)
        self.inner = eqx.nn.Linear(3, 5, key=inner)
        self.outer = eqx.nn.Linear(5, 7, key=outer)

    def __call__(self, z):
        return self.outer(jnp.tanh(self.inner(z)))  # or


def wrong_features():
    return Encoder(nnx.Rngs(0))(jnp.ones((4, 5)))  # error


def right_features():
    return Encoder(nnx.Rngs(0))(jnp.ones((4, 6)))


def wrong_between_layers():
    first, second = nnx.Linear(3, 4, rngs=nnx.Rngs(0)), nnx.Linear(5, 2, rngs=nnx.Rngs(1))
    return second(first(jnp.ones((2, 3))))  # error


def right_between_layers():
    first, second = nnx.Linear(3, 4, rngs=nnx.Rngs(0)), nnx.Linear(4, 2, rngs=nnx.Rngs(1))
    return second(first(jnp.ones((2, 3))))


def wrong_attention():
    attend = nnx.MultiHeadAttention(2, 8, decode=False, rngs=nnx.Rngs(0))
    return attend(jnp.ones((1, 5, 6)))  # error


def right_attention():
    attend = nnx.MultiHeadAttention(2, 8, decode=False, rngs=nnx.Rngs(0))
    return attend(jnp.ones((1, 5, 8)))


def wrong_compiled_step():
    @nnx.jit
    def predict(model, x):
        return model(x)

    return predict(Encoder(nnx.Rngs(0)), jnp.ones(3))  # error


def right_compiled_step():
    @nnx.jit
    def predict(model, x):
        return model(x)

    return predict(Encoder(nnx.Rngs(0)), jnp.ones(6))


def wrong_ids():
    return nnx.Embed(10, 4, rngs=nnx.Rngs(0))(jnp.ones(3))  # error


def right_ids():
    return nnx.Embed(10, 4, rngs=nnx.Rngs(0))(jnp.ones(3, int))


def wrong_batch_of_equinox():
    return Decoder(KEY)(jnp.ones((6, 3)))  # error


def right_batch_of_equinox():
    return jax.vmap(Decoder(KEY))(jnp.ones((6, 3)))


def wrong_rank_of_equinox():
    return eqx.nn.Conv2d(3, 4, 3, key=KEY)(jnp.ones((2, 3, 8, 8)))  # error


def right_rank_of_equinox():
    return eqx.nn.Conv2d(3, 4, 3, key=KEY)(jnp.ones((3, 8, 8)))


def wrong_normalised():
    return eqx.nn.LayerNorm(6)(jnp.ones((2, 6)))  # error


def right_normalised():
    return jax.vmap(eqx.nn.LayerNorm(6))(jnp.ones((2, 6)))
