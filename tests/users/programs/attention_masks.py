"""Padding and causal masks with the smallest finite number, grouped heads, a cache for decoding."""

import functools

import jax
import jax.numpy as jnp
from jax import lax


def make_mask(lengths: jax.Array, size: int) -> jax.Array:
    positions = jnp.arange(size)
    padding = positions[None, :] < lengths[:, None]
    causal = positions[:, None] >= positions[None, :]
    return padding[:, None, :] & causal[None]


def attention(q: jax.Array, k: jax.Array, v: jax.Array, mask: jax.Array) -> jax.Array:
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
    scores = jnp.where(mask[:, None], scores, jnp.finfo(scores.dtype).min)
    weights = jax.nn.softmax(scores, axis=-1)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v)


def rotary(x: jax.Array, positions: jax.Array) -> jax.Array:
    half = x.shape[-1] // 2
    frequencies = 1.0 / 10000 ** (jnp.arange(half) / half)
    angles = positions[:, None] * frequencies
    sin, cos = jnp.sin(angles)[:, None, :], jnp.cos(angles)[:, None, :]
    left, right = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([left * cos - right * sin, right * cos + left * sin], axis=-1)


@functools.partial(jax.jit, donate_argnums=0)
def extend(cache: jax.Array, new: jax.Array, position: jax.Array) -> jax.Array:
    return lax.dynamic_update_slice_in_dim(cache, new, position, axis=1)


batch, length, heads, head_dim = 2, 6, 4, 8
q_key, k_key, v_key = jax.random.split(jax.random.key(0), 3)
q = jax.random.normal(q_key, (batch, length, heads, head_dim))
k = jax.random.normal(k_key, (batch, length, heads, head_dim))
v = jax.random.normal(v_key, (batch, length, heads, head_dim))

lengths = jnp.array([6, 3])
mask = make_mask(lengths, length)
positions = jnp.arange(length)

scores = jnp.einsum("bqhd,bkhd->bhqk", q, k)
tril = jnp.tril(jnp.ones((length, length), bool))
masked = jnp.where(tril, scores, jnp.finfo(jnp.float32).min)
weights = jax.nn.softmax(masked, axis=-1)
context = jnp.einsum("bhqk,bkhd->bqhd", weights, v)

q, k = rotary(q, positions), rotary(k, positions)
out = attention(q, k, v, mask)
merged = out.reshape(batch, length, heads * head_dim)

cache = jnp.zeros((batch, 16, heads, head_dim))
cache = extend(cache, k, jnp.array(4))
print(merged.mean(), context.mean(), cache.sum())
