"""Functions that declare arrays in our own notation, and that nothing calls."""

from typing import Literal, TypeVar

import jax.numpy as jnp

from jaxtyping_core.typing import Array, BFloat16, Float32, Int32, float32

B = TypeVar("B")
D = TypeVar("D")
F = TypeVar("F")
Width = Literal[64]


def wrong_broadcast(x: Float32[B, D], y: Float32[B]) -> Float32[B, D]:
    return x * y  # error


def wrong_dtype(x: Float32[B, Width], w: Float32[Width, F]) -> BFloat16[B, F]:
    return x @ w  # error


def wrong_index(x: Float32[B, D], index: Float32[F]) -> Float32[F, D]:
    return x[index]  # error


def wrong_reshape(x: Float32[Width, Width]) -> Float32[Literal[8], Literal[8], Width]:
    return x.reshape(8, 9, 64)  # error


def shifted(x: Float32[B, Width]) -> Float32[B, Width]:
    return x + jnp.arange(64.0)


def wrong_argument(x: Float32[Width, B]) -> Float32[B, Width]:
    y = shifted(x.T)
    return shifted(y[:, :32])  # error


def right_product(x: Float32[B, Width], w: Float32[Width, F]) -> BFloat16[B, F]:
    return (x @ w).astype(jnp.bfloat16)


def right_of_one_shape(x: Array[float32, tuple[B, D]], i: Int32[F]) -> Array[float32, tuple[F, D]]:
    return x[i]
