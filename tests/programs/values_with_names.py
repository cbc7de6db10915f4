"""Values of other shapes, each with a name of its own."""

from typing import TypeVar

import jax
import jax.numpy as jnp
from typing_extensions import reveal_type

from jaxtyping_core.typing import Float32

B = TypeVar("B")
D = TypeVar("D")
N = TypeVar("N")
M = TypeVar("M")


def pooled(x: Float32[B, D, D]) -> Float32[B, D, D]:
    b, h, w = x.shape
    y = x.reshape(b, h // 2, 2, w // 2, 2).mean(axis=(2, 4))
    reveal_type(y)  # Array[float32, Any]
    return y


def broadcast(x: Float32[N, D], y: Float32[M, D], v: Float32[D], anything: jax.Array) -> None:
    reveal_type(x - x)  # Array[float32, tuple[N, D]]
    reveal_type(x / x)  # Array[float32, tuple[N, D]]
    reveal_type(x - v)  # Array[float32, Any]
    reveal_type(x @ y.T)  # Array[float32, tuple[N, M]]
    print(x @ y)  # error
    print(x[:, None] - y[None], x - anything, anything / y)
    print(x - x.mean(axis=0), x / x.sum(axis=1, keepdims=True), x - 1, 2 / x)


if __name__ == "__main__":
    x = jnp.ones((4, 4))
    print(pooled(x[None]))
    broadcast(x, x, x[0], x)
