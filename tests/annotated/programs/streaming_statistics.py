"""Running means and covariances over a stream of batches, from a generator."""

from collections.abc import Generator, Iterator

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int


class RunningMoments:
    def __init__(self, d: int):
        self.d = d
        self._count = jnp.array(0)
        self._mean = jnp.zeros(d)
        self._scatter = jnp.zeros((d, d))

    @property
    def count(self) -> Int[Array, ""]:
        return self._count

    @property
    def mean(self) -> Float[Array, "{self.d}"]:
        return self._mean

    @property
    def covariance(self) -> Float[Array, "{self.d} {self.d}"]:
        return self._scatter / jnp.maximum(self._count - 1, 1)

    def update(self, batch: Float[Array, "b {self.d}"]) -> None:
        b = batch.shape[0]
        delta = batch - self._mean
        total = self._count + b
        shift = delta.sum(axis=0) / total
        self._scatter = self._scatter + delta.T @ (batch - self._mean - shift)
        self._mean = self._mean + shift
        self._count = total


def stream(key: Array, scales: Float[Array, "d"], sizes: tuple[int, ...]) -> Iterator[Float[Array, "b d"]]:
    for size in sizes:
        key, noise_key = jax.random.split(key)
        yield scales * jax.random.normal(noise_key, (size, scales.shape[0]))


def windows(xs: Float[Array, "n d"], width: int) -> Generator[Float[Array, "{width} d"], None, int]:
    starts = range(0, xs.shape[0] - width + 1, width)
    for start in starts:
        yield xs[start : start + width]
    return len(starts)


def mahalanobis(
    x: Float[Array, "n d"], mean: Float[Array, "d"], cov: Float[Array, "d d"]
) -> Float[Array, "n"]:
    centered = x - mean
    return jnp.sum(centered * jnp.linalg.solve(cov, centered.T).T, axis=1)


moments = RunningMoments(3)
for batch in stream(jax.random.key(0), jnp.array([1.0, 2.0, 0.5]), (6, 8, 5)):
    for window in windows(batch, 2):
        moments.update(window)
print(moments.count, mahalanobis(jnp.ones((4, 3)), moments.mean, moments.covariance))
