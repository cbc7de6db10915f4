"""Decoding with a key-value cache that is a typed dictionary."""

from typing import TypedDict

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float, Int


class LayerCache(TypedDict):
    k: Float[Array, "b slots heads head_dim"]
    v: Float[Array, "b slots heads head_dim"]
    end: Int[Array, ""]


def init_cache(b: int, slots: int, heads: int, head_dim: int) -> LayerCache:
    shape = (b, slots, heads, head_dim)
    return LayerCache(k=jnp.zeros(shape), v=jnp.zeros(shape), end=jnp.array(0))


def write(
    buffer: Float[Array, "b slots heads head_dim"],
    new: Float[Array, "b heads head_dim"],
    index: Int[Array, ""],
) -> Float[Array, "b slots heads head_dim"]:
    return lax.dynamic_update_slice(buffer, new[:, None], (0, index, 0, 0))


def attend_step(
    cache: LayerCache,
    q: Float[Array, "b heads head_dim"],
    k: Float[Array, "b heads head_dim"],
    v: Float[Array, "b heads head_dim"],
) -> tuple[Float[Array, "b heads head_dim"], LayerCache]:
    keys = write(cache["k"], k, cache["end"])
    values = write(cache["v"], v, cache["end"])
    logits = jnp.einsum("bhd,bshd->bhs", q, keys)
    filled = jnp.arange(keys.shape[1]) <= cache["end"]
    weights = jax.nn.softmax(jnp.where(filled, logits, -jnp.inf), axis=-1)
    out = jnp.einsum("bhs,bshd->bhd", weights, values)
    return out, LayerCache(k=keys, v=values, end=cache["end"] + 1)


cache = init_cache(2, 6, 3, 4)
for step in range(4):
    q, k, v = jax.random.normal(jax.random.key(step), (3, 2, 3, 4))
    out, cache = attend_step(cache, q, k, v)
print(out.shape, cache["end"])
