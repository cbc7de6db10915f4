"""Operators on arrays of which one dim has two names, and others."""

from typing import TypeVar

import jax
import jax.numpy as jnp
from typing_extensions import reveal_type

from jaxtyping_core.typing import BFloat16, Float32

N = TypeVar("N")
M = TypeVar("M")
D = TypeVar("D")


def clash(x: Float32[N, D], y: Float32[M, D], z: BFloat16[M, D]) -> None:
    print(x + y)  # error
    print(x - y)  # error
    print(x * y)  # error
    print(x / y)  # error
    print(x - z)  # error
    print(x @ y)  # error


def fine(x: Float32[N, D], y: Float32[M, D], v: Float32[D], anything: jax.Array) -> None:
    reveal_type(x - x)  # Array[float32, tuple[N, D]]
    reveal_type(x / x)  # Array[float32, tuple[N, D]]
    reveal_type(x - v)  # Array[float32, Any]
    reveal_type(x[:, None] - y[None])  # Array[float32, Any]
    reveal_type(x @ y.T)  # Array[float32, tuple[N, M]], open in pyrefly
    print(x - anything, anything / y, x - x.mean(axis=0), x / x.sum(axis=1, keepdims=True), x - 1, 2 / x)


if __name__ == "__main__":
    x = jnp.ones((2, 3))
    fine(x, x, x[0], x)
