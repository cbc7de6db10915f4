"""Token lists of many lengths become padded arrays in a typed dictionary."""

from typing import TypedDict

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Int32


class Padded(TypedDict):
    tokens: Int32[np.ndarray, "b t"]
    mask: Bool[np.ndarray, "b t"]


def pad(sequences: list[Int32[np.ndarray, "_"]], length: int) -> Padded:
    tokens = np.zeros((len(sequences), length), np.int32)
    mask = np.zeros((len(sequences), length), bool)
    for row, sequence in enumerate(sequences):
        kept = sequence[:length]
        tokens[row, : len(kept)] = kept
        mask[row, : len(kept)] = True
    return {"tokens": tokens, "mask": mask}


def masked_mean(x: Float[Array, "b t d"], mask: Bool[Array, "b t"]) -> Float[Array, "b d"]:
    weights = mask.astype(x.dtype)[..., None]
    return jnp.sum(x * weights, axis=1) / jnp.maximum(weights.sum(axis=1), 1.0)


def bag_of_words(
    table: Float[Array, "vocab d"], tokens: Int[Array, "b t"], mask: Bool[Array, "b t"]
) -> Float[Array, "b d"]:
    return masked_mean(table[tokens], mask)


def lengths(mask: Bool[Array, "b t"]) -> Int[Array, "b"]:
    return mask.sum(axis=1)


corpus = [np.arange(n, dtype=np.int32) for n in (3, 8, 1, 5)]
batch = pad(corpus, 6)
tokens, mask = jnp.asarray(batch["tokens"]), jnp.asarray(batch["mask"])
table = jax.random.normal(jax.random.key(0), (10, 3))
print(bag_of_words(table, tokens, mask), lengths(mask))
