"""Arrays of which a program finds out the type while it runs."""

from typing import Any, Literal, TypeVar

import jax
import jax.numpy as jnp
from typing_extensions import reveal_type

from jaxtyping_core.typing import Array, BFloat16, Float32, Floating, Int32, bfloat16, float32, floating, is_array

B = TypeVar("B")
D = TypeVar("D")


def square(x: Float32[D, D]) -> Float32[D]:
    return x.sum(axis=0)


def branches(x: jax.Array, w: Float32[B, D]) -> None:
    if is_array(x, Float32[B, D]):
        reveal_type(x)  # Array[float32, tuple[B, D]]
        reveal_type(x + w)  # Array[float32, tuple[B, D]]
    else:
        reveal_type(x)  # Array[Any, Any]
        print(x.sum())
    if not is_array(x, Float32[Any, Any]):
        raise TypeError("x")
    reveal_type(x)  # Array[float32, tuple[Any, Any]]
    if is_array(x, Float32[Any, Literal[3]]):
        reveal_type(x)  # Array[float32, tuple[Any, Literal[3]]]
    if is_array(x, Float32[D, *tuple[Any, ...]]):
        print(x[0])


def of_any_shape(x: jax.Array, y: jax.Array, z: jax.Array) -> Float32:
    assert is_array(x, Float32)
    reveal_type(x + 1)  # Array[float32, Any]
    reveal_type(x.sum(axis=0))  # Array[float32, Any]
    reveal_type(x @ x)  # Array[float32, Any]
    print(square(x))
    assert is_array(y, Array[floating])
    reveal_type(y)  # Array[floating, Any], open in zuban
    assert is_array(z, Array[float32 | bfloat16])
    number: Floating = z
    print(number)
    return x


def anything(x: object, y: Any, z: Float32[B, D]) -> Float32[B, D]:
    assert is_array(x, Array[floating, tuple[B, D]])
    reveal_type(x)  # Array[floating, tuple[B, D]]
    if not is_array(y, Float32[B, D]):
        raise TypeError("y")
    reveal_type(y)  # Array[float32, tuple[B, D]]
    return y + z


def declared(x: Float32[B, D], y: Float32[B, D] | BFloat16[B, D]) -> Float32[B, D]:
    assert is_array(x, Float32[B, D])
    reveal_type(x)  # Array[float32, tuple[B, D]]
    if not is_array(x, Float32[B, D]):
        raise TypeError("x")
    if is_array(y, Float32[B, D]):
        return y
    return x


def no_annotations(x: jax.Array, dtype: type[float32]) -> None:
    print(is_array(x, float32))  # error
    print(is_array(x, Float32 | Int32))  # error in mypy, ty, zuban
    print(is_array(x, dtype))  # error


@jax.jit
def traced(x: Float32[B, D]) -> Float32[B]:
    assert is_array(x, Float32[B, D])
    return x.sum(axis=1)


if __name__ == "__main__":
    x = jnp.ones((3, 3))
    branches(x, x)
    of_any_shape(x, x, x)
    declared(anything(x, x, x), x)
    traced(x)
