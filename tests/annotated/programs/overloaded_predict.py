"""A linear classifier whose predict takes one sample or a batch."""

from typing import overload

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int


class LinearClassifier:
    def __init__(self, weights: Float[Array, "d classes"], bias: Float[Array, "classes"]):
        self.weights = weights
        self.bias = bias

    @property
    def num_features(self) -> int:
        return self.weights.shape[0]

    @staticmethod
    def standardize(x: Float[Array, "n d"]) -> Float[Array, "n d"]:
        return (x - x.mean(axis=0)) / x.std(axis=0)

    @classmethod
    def from_centroids(cls, x: Float[Array, "n d"], y: Int[Array, "n"], classes: int) -> "LinearClassifier":
        one_hot = jax.nn.one_hot(y, classes)
        centroids = (one_hot.T @ x) / one_hot.sum(axis=0)[:, None]
        return cls(centroids.T, -0.5 * jnp.sum(centroids**2, axis=1))

    @overload
    def predict(self, x: Float[Array, "d"]) -> Int[Array, ""]: ...

    @overload
    def predict(self, x: Float[Array, "n d"]) -> Int[Array, "n"]: ...

    def predict(self, x: Float[Array, "*n d"]) -> Int[Array, "*n"]:
        return jnp.argmax(x @ self.weights + self.bias, axis=-1)

    def accuracy(self, x: Float[Array, "n d"], y: Int[Array, "n"]) -> Float[Array, ""]:
        return jnp.mean(self.predict(x) == y)


centers = jnp.array([[2.0, 0.0], [-2.0, 1.0], [0.0, -3.0]])
y = jnp.arange(12) % 3
x = centers[y] + 0.1 * jax.random.normal(jax.random.key(0), (12, 2))
x = LinearClassifier.standardize(x)
model = LinearClassifier.from_centroids(x, y, 3)
print(model.num_features, model.accuracy(x, y), model.predict(x[0]))
