"""Utilities on arrays of any dtype: permutations, batches, and masks over them."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Int, Key, Num, PyTree, Shaped


def shuffle(key: Key[Array, ""], x: Shaped[Array, "n *rest"]) -> Shaped[Array, "n *rest"]:
    return jax.random.permutation(key, x)


def batched(x: Shaped[Array, "n *rest"], size: int) -> Shaped[Array, "batches {size} *rest"]:
    n, *rest = x.shape
    batches = n // size
    return x[: batches * size].reshape(batches, size, *rest)


def unbatched(x: Shaped[Array, "batches size *rest"]) -> Shaped[Array, "batches*size *rest"]:
    batches, size, *rest = x.shape
    return x.reshape(batches * size, *rest)


def pad_to(
    x: Num[Array, "n *rest"], length: int
) -> tuple[Num[Array, "{length} *rest"], Bool[Array, "{length}"]]:
    missing = length - x.shape[0]
    padding = [(0, missing)] + [(0, 0)] * (x.ndim - 1)
    return jnp.pad(x, padding), jnp.arange(length) < x.shape[0]


def select(
    mask: Bool[Array, "n"], x: Num[Array, "n *rest"], y: Num[Array, "n *rest"]
) -> Num[Array, "n *rest"]:
    expanded = mask.reshape(mask.shape[0], *([1] * (x.ndim - 1)))
    return jnp.where(expanded, x, y)


def take(tree: PyTree[Shaped[Array, "..."]], rows: Int[Array, "k"]) -> PyTree[Shaped[Array, "..."]]:
    return jax.tree.map(lambda leaf: leaf[rows], tree)


features = jnp.arange(33.0).reshape(11, 3)
labels = jnp.arange(11)
keys = jax.random.split(jax.random.key(0), 11)
mixed = take({"x": features, "y": labels, "key": keys}, shuffle(jax.random.key(1), labels))
minibatches = batched(mixed["x"], 4)
padded, valid = pad_to(unbatched(minibatches), 10)
print(select(valid, padded, jnp.full_like(padded, -1)), mixed["key"].shape)
