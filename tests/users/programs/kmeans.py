"""K-means with named sizes."""

from functools import partial
from typing import TypeVar

import jax
import jax.numpy as jnp
from jax import lax

from jaxtyping_core.typing import Array, Float32, Int32

N = TypeVar("N", bound=int)
K = TypeVar("K", bound=int)
D = TypeVar("D", bound=int)


def squared_distances(points: Float32[N, D], centers: Float32[K, D]) -> Float32[N, K]:
    difference = points[:, None, :] - centers[None, :, :]
    return jnp.sum(difference**2, axis=-1)


def assign(points: Float32[N, D], centers: Float32[K, D]) -> Int32[N]:
    return jnp.argmin(squared_distances(points, centers), axis=1)


def recenter(points: Float32[N, D], labels: Int32[N], centers: Float32[K, D]) -> Float32[K, D]:
    k = centers.shape[0]
    members = jax.nn.one_hot(labels, k)
    counts = members.sum(axis=0)
    sums = members.T @ points
    means = sums / jnp.maximum(counts, 1)[:, None]
    return jnp.where(counts[:, None] > 0, means, centers)


@partial(jax.jit, static_argnames="iterations")
def kmeans(points: Float32[N, D], centers: Float32[K, D], iterations: int = 5) -> Float32[K, D]:
    def body(_: Array, current: Float32[K, D]) -> Float32[K, D]:
        labels = assign(points, current)
        return recenter(points, labels, current)

    return lax.fori_loop(0, iterations, body, centers)


def inertia(points: Float32[N, D], centers: Float32[K, D]) -> Float32[()]:
    nearest = squared_distances(points, centers).min(axis=1)
    return nearest.sum()


def main() -> None:
    key = jax.random.key(3)
    group_key, noise_key, pick_key = jax.random.split(key, 3)
    groups = 5.0 * jax.random.normal(group_key, (4, 2))
    noise = jax.random.normal(noise_key, (100, 2))
    points = jnp.repeat(groups, 25, axis=0) + noise
    chosen = jax.random.choice(pick_key, 100, (4,), replace=False)
    start = points[chosen]
    centers = kmeans(points, start, iterations=3)
    before = inertia(points, start)
    after = inertia(points, centers)
    print("inertia", before, "->", after)


main()
