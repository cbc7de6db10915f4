"""The limits of a dtype, and what `vjp` returns."""

from typing import TypeVar

import jax
import jax.numpy as jnp
from typing_extensions import reveal_type

from jaxtyping_core.typing import BFloat16, Bool, Float32

B = TypeVar("B")
D = TypeVar("D")


def masked(x: Float32[B, D], mask: Bool[B, D], y: BFloat16[B, D]) -> Float32[B, D]:
    reveal_type(jnp.where(mask, x, jnp.finfo(x.dtype).min))  # Array[float32, tuple[B, D]]
    reveal_type(jnp.where(mask, y, jnp.finfo(y.dtype).min))  # Array[bfloat16, tuple[B, D]]
    reveal_type(jnp.maximum(x, jnp.finfo(jnp.float32).eps))  # Array[float32, tuple[B, D]]
    reveal_type(x + jnp.finfo(x.dtype).eps)  # Array[float32, tuple[B, D]]
    reveal_type(x * jnp.finfo(x.dtype).max)  # Array[float32, tuple[B, D]]
    reveal_type(jnp.clip(x, jnp.finfo(x.dtype).tiny, jnp.finfo(x.dtype).max))  # Array[float32, tuple[B, D]]
    return jnp.where(mask, x, jnp.finfo(x.dtype).min)


def pulled_back(x: Float32[B, D]) -> Float32[B, D]:
    y = jax.vjp(jnp.sin, x)[0]
    reveal_type(y)  # Array[float32, tuple[B, D]]
    return y


def lowest(n: jax.Array) -> int:
    return int(jnp.iinfo(n.dtype).min) + jnp.iinfo(jnp.int32).max


if __name__ == "__main__":
    x = jnp.ones((2, 3))
    print(masked(x, x > 0, x.astype(jnp.bfloat16)), pulled_back(x), lowest(jnp.arange(3)))
