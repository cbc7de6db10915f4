"""Functions of an array and a limit of its dtype, as masks have them."""

from typing import TypeVar

import jax.numpy as jnp
from typing_extensions import reveal_type

from jaxtyping_core.typing import Bool, Float32

B = TypeVar("B")
D = TypeVar("D")


def masked(x: Float32[B, D], mask: Bool[B, D]) -> None:
    reveal_type(jnp.where(mask, x, jnp.finfo(x.dtype).min))  # Array[float32, Any], open in zuban
    reveal_type(x * mask + (1 - mask) * jnp.finfo(x.dtype).min)  # Array[float32, tuple[B, D]], open in zuban


if __name__ == "__main__":
    x = jnp.ones((2, 3))
    masked(x, x > 0)
