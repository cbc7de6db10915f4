"""Attention and logits in chunks of rows, to bound the memory."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float, Int

RowFunction = Callable[[Float[Array, "rows d"]], Float[Array, "rows k"]]


def map_chunks(fn: RowFunction, x: Float[Array, "n d"], chunk: int) -> Float[Array, "n k"]:
    n, d = x.shape
    pieces = x.reshape(n // chunk, chunk, d)
    return lax.map(fn, pieces).reshape(n, -1)


def chunked_attention(
    q: Float[Array, "n d"], k: Float[Array, "m d"], v: Float[Array, "m e"], chunk: int = 2
) -> Float[Array, "n e"]:
    def attend(q: Float[Array, "n d"]) -> Float[Array, "n e"]:
        weights = jax.nn.softmax(q @ k.T / jnp.sqrt(k.shape[1]), axis=-1)
        return weights @ v

    return map_chunks(attend, q, chunk)


def chunked_cross_entropy(
    hidden: Float[Array, "n d"], table: Float[Array, "vocab d"], labels: Int[Array, "n"], chunk: int
) -> Float[Array, ""]:
    n, d = hidden.shape

    def add_chunk(
        total: Float[Array, ""], piece: tuple[Float[Array, "n d"], Int[Array, "n"]]
    ) -> tuple[Float[Array, ""], None]:
        h, targets = piece
        log_probs = jax.nn.log_softmax(h @ table.T, axis=-1)
        picked = jnp.take_along_axis(log_probs, targets[:, None], axis=-1)
        return total - picked.sum(), None

    pieces = (hidden.reshape(n // chunk, chunk, d), labels.reshape(n // chunk, chunk))
    total, _ = lax.scan(add_chunk, jnp.zeros(()), pieces)
    return total / n


keys = jax.random.split(jax.random.key(0), 4)
q = jax.random.normal(keys[0], (6, 4))
k = jax.random.normal(keys[1], (7, 4))
v = jax.random.normal(keys[2], (7, 5))
table = jax.random.normal(keys[3], (11, 5))
out = chunked_attention(q, k, v)
print(chunked_cross_entropy(out, table, jnp.arange(6), chunk=3))
