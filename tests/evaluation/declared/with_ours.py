"""The same with our own annotations."""

from typing import Any, Generic, Literal, TypeVar

import jax.numpy as jnp
from jaxtyping_core.typing import Array, Float32, floating

B = TypeVar("B", bound=int)
D = TypeVar("D", bound=int)
H = TypeVar("H", bound=int)
T = TypeVar("T", bound=floating)


def dense(x: Float32[B, D], w: Float32[D, H]) -> Float32[B, H]:
    return x @ w


def swapped(x: Float32[B, D]) -> Float32[D, B]:
    return x  # says: "swapped" returns float32[2, 3] for x: float32[2, 3]; expected float32[D, B], here [3, 2]


def same_dtype(x: Array[T, tuple[B]], y: Array[T, tuple[B]]) -> Array[T, tuple[B, Literal[2]]]:
    return jnp.stack([x, y], axis=1)


class Linear(Generic[D, H]):
    def __init__(self, w: Float32[D, H]) -> None:
        self.w = w

    def __call__(self, x: Float32[B, D]) -> Float32[B, H]:
        return x @ self.w


def anything(x: Array[Any, tuple[Any, ...]], y: Float32) -> Array:
    return x


dense(jnp.ones((2, 3)), jnp.ones((3, 4)))
dense(jnp.ones((2, 3)), jnp.ones((2, 3)))  # says: Argument "w" of "dense" is float32[2, 3]
swapped(jnp.ones((2, 3)))
same_dtype(jnp.ones(2), jnp.ones(2))
same_dtype(jnp.ones(2), jnp.ones(2, "bfloat16"))  # says: Argument "y" of "same_dtype" is bfloat16[2]
Linear(jnp.ones((3, 2)))(jnp.ones((4, 3)))
anything(jnp.ones(2), jnp.ones((1, 2, 3)))
