"""Causal self-attention with parameters in a NamedTuple and annotated sizes."""

import math
from typing import NamedTuple, TypeVar

import jax
import jax.numpy as jnp

from jaxtyping_core.typing import Bool, Float32

B = TypeVar("B", bound=int)
T = TypeVar("T", bound=int)
D = TypeVar("D", bound=int)


class Attention(NamedTuple):
    wq: jax.Array
    wk: jax.Array
    wv: jax.Array
    wo: jax.Array


def init(key: jax.Array, dim: int) -> Attention:
    keys = jax.random.split(key, 4)
    scale = 1 / math.sqrt(dim)
    return Attention(*(scale * jax.random.normal(k, (dim, dim)) for k in keys))


def causal_mask(scores: Float32[B, T, T]) -> Bool[T, T]:
    length = scores.shape[-1]
    return jnp.tril(jnp.ones((length, length), dtype=bool))


def attend(q: Float32[B, T, D], k: Float32[B, T, D], v: Float32[B, T, D]) -> Float32[B, T, D]:
    scale = math.sqrt(q.shape[-1])
    scores = q @ k.swapaxes(1, 2) / scale
    mask = causal_mask(scores)
    scores = jnp.where(mask, scores, -jnp.inf)
    weights = jax.nn.softmax(scores, axis=-1)
    return weights @ v


def block(
    x: Float32[B, T, D], wq: Float32[D, D], wk: Float32[D, D], wv: Float32[D, D], wo: Float32[D, D]
) -> Float32[B, T, D]:
    q = x @ wq
    k = x @ wk
    v = x @ wv
    mixed = attend(q, k, v)
    return x + mixed @ wo


@jax.jit
def forward(params: Attention, x: Float32[B, T, D]) -> Float32[B, T, D]:
    return block(x, params.wq, params.wk, params.wv, params.wo)


params = init(jax.random.key(1), 8)
tokens = jax.random.normal(jax.random.key(2), (2, 5, 8))
out = forward(params, tokens)
pooled = out.mean(axis=1)
assert pooled.shape == (2, 8)
print(pooled)
