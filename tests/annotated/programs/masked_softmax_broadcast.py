"""A softmax under masks that broadcast over the batch and the heads."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float


def masked_softmax(
    logits: Float[Array, "b h q k"], mask: Bool[Array, "#b #h q k"]
) -> Float[Array, "b h q k"]:
    logits = jnp.where(mask, logits, jnp.finfo(logits.dtype).min)
    return jax.nn.softmax(logits, axis=-1) * mask


def add_bias(logits: Float[Array, "b h q k"], bias: Float[Array, "#b h #q #k"]) -> Float[Array, "b h q k"]:
    return logits + bias


def padding_mask(valid: Bool[Array, "b k"], q: int) -> Bool[Array, "b 1 {q} k"]:
    b, k = valid.shape
    return jnp.broadcast_to(valid[:, None, None, :], (b, 1, q, k))


def sliding_window_mask(q: int, k: int, window: int) -> Bool[Array, "1 1 {q} {k}"]:
    offset = jnp.arange(k)[None, :] - jnp.arange(q)[:, None] - (k - q)
    return ((offset <= 0) & (offset > -window))[None, None]


def attention_weights(
    query: Float[Array, "b q h d"],
    key: Float[Array, "b k h d"],
    valid: Bool[Array, "b k"],
    slopes: Float[Array, "h"],
    *,
    window: int = 3,
) -> Float[Array, "b h q k"]:
    q, k = query.shape[1], key.shape[1]
    logits = jnp.einsum("bqhd,bkhd->bhqk", query, key)
    distance = jnp.abs(jnp.arange(k)[None, :] - jnp.arange(q)[:, None])
    logits = add_bias(logits, -slopes[None, :, None, None] * distance)
    mask = padding_mask(valid, q) & sliding_window_mask(q, k, window)
    return masked_softmax(logits, mask)


query = jax.random.normal(jax.random.key(0), (2, 5, 4, 3))
key = jax.random.normal(jax.random.key(1), (2, 7, 4, 3))
valid = jnp.arange(7) < jnp.array([7, 6])[:, None]
weights = attention_weights(query, key, valid, 2.0 ** -jnp.arange(1.0, 5.0))
print(weights.sum(axis=-1).mean())
