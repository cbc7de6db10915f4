"""A ring buffer of arrays of a known width, generic in its payload."""

from typing import Generic, TypeVar

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int

Tag = TypeVar("Tag")


class RingBuffer(Generic[Tag]):
    def __init__(self, capacity: int, width: int, tag: Tag):
        self.capacity = capacity
        self.width = width
        self.tag = tag
        self._rows = jnp.zeros((capacity, width))
        self._count = 0

    def push(self, row: Float[Array, "{self.width}"]) -> None:
        self._rows = self._rows.at[self._count % self.capacity].set(row)
        self._count += 1

    def extend(self, rows: Float[Array, "n {self.width}"]) -> None:
        for row in rows:
            self.push(row)

    @property
    def rows(self) -> Float[Array, "{self.capacity} {self.width}"]:
        return self._rows

    @property
    def valid(self) -> Bool[Array, "{self.capacity}"]:
        return jnp.arange(self.capacity) < self._count

    def order(self) -> Int[Array, "{self.capacity}"]:
        """Rows from the oldest to the newest."""
        return (jnp.arange(self.capacity) + self._count) % self.capacity

    def mean(self) -> Float[Array, "{self.width}"]:
        weights = self.valid.astype(jnp.float32)
        return weights @ self.rows / jnp.maximum(weights.sum(), 1.0)

    def quantile(self, level: float) -> Float[Array, "{self.width}"]:
        return jnp.nanquantile(jnp.where(self.valid[:, None], self.rows, jnp.nan), level, axis=0)


losses: RingBuffer[str] = RingBuffer(5, 2, "loss")
for step in range(7):
    losses.push(jnp.array([1.0 / (step + 1), float(step)]))
features: RingBuffer[int] = RingBuffer(6, 3, 0)
features.extend(jax.random.normal(jax.random.key(0), (4, 3)))
print(losses.tag, losses.rows[losses.order()], losses.mean(), features.quantile(0.5))
