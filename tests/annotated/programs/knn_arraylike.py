"""Nearest neighbours over anything that is like an array."""

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, ArrayLike, Float, Int, Real


def pairwise_sq(x: Float[ArrayLike, "n d"], y: Float[ArrayLike, "m d"]) -> Float[Array, "n m"]:
    x, y = jnp.asarray(x), jnp.asarray(y)
    return jnp.sum((x[:, None, :] - y[None, :, :]) ** 2, axis=-1)


def nearest(
    queries: Float[ArrayLike, "n d"], points: Float[ArrayLike, "m d"], k: int
) -> tuple[Float[Array, "n {k}"], Int[Array, "n {k}"]]:
    negative, index = jax.lax.top_k(-pairwise_sq(queries, points), k)
    return jnp.sqrt(-negative), index


def knn_regress(
    queries: Float[ArrayLike, "n d"],
    points: Float[ArrayLike, "m d"],
    targets: Real[ArrayLike, "m"],
    *,
    k: int = 2,
    bandwidth: Float[ArrayLike, ""] = 1.0,
) -> Float[Array, "n"]:
    distance, index = nearest(queries, points, k)
    weights = jax.nn.softmax(-distance / bandwidth, axis=-1)
    return jnp.sum(weights * jnp.asarray(targets)[index], axis=-1)


rng = np.random.default_rng(0)
points = rng.normal(size=(8, 3)).astype(np.float32)
targets = np.arange(8)
queries = jax.random.normal(jax.random.key(0), (5, 3))
print(knn_regress(queries, points, targets))
print(knn_regress(points[:4], points, targets, bandwidth=0.5))
