"""The limits of a dtype, and what `vjp` returns."""

from typing import TypeVar

import jax
import jax.numpy as jnp
from typing_extensions import reveal_type

from jaxtyping_core.typing import BFloat16, Float32

B = TypeVar("B")
D = TypeVar("D")


def limits(x: Float32[B, D], y: BFloat16[B, D], anything: jax.Array) -> None:
    reveal_type(x + jnp.finfo(x.dtype).eps)  # Array[float32, tuple[B, D]]
    reveal_type(x * jnp.finfo(jnp.float32).max)  # Array[float32, tuple[B, D]]
    reveal_type(jnp.finfo(x.dtype).min + x)  # Array[float32, tuple[B, D]], open in zuban
    reveal_type(jnp.array(jnp.finfo(x).tiny, jnp.float32))  # Array[float32, Any]
    reveal_type(y + jnp.finfo(y.dtype).eps)  # Array[bfloat16, tuple[B, D]], open in pyright, basedpyright, pyrefly, ty, zuban
    reveal_type(jnp.finfo(y.dtype).min + y)  # Array[bfloat16, tuple[B, D]], open in pyright, basedpyright, pyrefly, ty, zuban
    reveal_type(jnp.sqrt(jnp.finfo(y).tiny))  # Array[bfloat16, tuple[()]], open in pyright, basedpyright, pyrefly, ty, zuban
    reveal_type(jnp.maximum(y, -jnp.finfo(jnp.bfloat16).max))  # Array[bfloat16, Any], open in pyright, basedpyright, pyrefly, ty, zuban
    reveal_type(jnp.finfo(y.dtype).eps < y)  # Array[bool_, tuple[B, D]]
    print(1 - 2.0 * jnp.finfo(y.dtype).eps, abs(jnp.finfo(y.dtype).max) > 1, float(jnp.finfo(y).eps) < 1)
    print(y + jnp.finfo(y.dtype).min, jnp.finfo(anything.dtype).bits, jnp.finfo("float32").max, anything)
    print(float(jnp.finfo(x.dtype).eps) ** 0.5, int(jnp.iinfo(jnp.int32).max))


def square(x: Float32[B, D]) -> Float32[B, D]:
    return x * x


def pulled_back(x: Float32[B, D]) -> None:
    y = jax.vjp(square, x)[0]
    reveal_type(y)  # Array[float32, tuple[B, D]], open in ty, zuban
    z, pull = jax.vjp(jnp.sin, x)
    reveal_type(z)  # Array[float32, tuple[B, D]], open in pyrefly, ty, zuban
    print(pull(z))


if __name__ == "__main__":
    x = jnp.ones((2, 3))
    limits(x, x.astype(jnp.bfloat16), x)
    pulled_back(x)
