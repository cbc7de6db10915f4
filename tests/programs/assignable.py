"""What may be assigned to what. Lines end in a comment that says where they are an error."""

from typing import Any, Literal, TypeVar

import jax
from jaxtyping_core.typing import Array, Float32, Floating, bfloat16, float32, float64, floating, weak_float

B = TypeVar("B")
D = TypeVar("D")


def dtype_is_covariant(x: Array[float32], y: Array[floating], b: Array[bfloat16]) -> None:
    y = x
    y = b
    x = b  # error
    z: Floating = x
    w: jax.Array = x
    x = w


def shape(x: Float32[B, D], any_shape: Array[float32], square: Float32[B, B]) -> None:
    transposed: Float32[D, B] = x  # error
    unknown: Float32[Any, Any] = x
    x = unknown
    x = any_shape
    any_shape = x
    any_rank: Float32 = x
    square = x  # error


def literal_shape(x: Float32[Literal[3]]) -> None:
    wide: Float32[int] = x  # error without the plugin


def weak(x: Array[weak_float], y: Array[float32], z: Array[float64]) -> None:
    y = x  # error with 64 bits
    z = x  # error with 32 bits
