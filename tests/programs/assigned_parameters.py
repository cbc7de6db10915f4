"""A parameter that gets a value of another shape."""

from typing import TypeVar

import jax.numpy as jnp
from typing_extensions import reveal_type

from jaxtyping_core.typing import Float32

B = TypeVar("B")
D = TypeVar("D")


def pooled(x: Float32[B, D, D]) -> Float32[B, D, D]:
    b, h, w = x.shape
    x = x.reshape(b, h // 2, 2, w // 2, 2)
    reveal_type(x.mean(axis=(2, 4)))  # Array[float32, Any]
    return x.mean(axis=(2, 4))


if __name__ == "__main__":
    print(pooled(jnp.ones((2, 4, 4))))
