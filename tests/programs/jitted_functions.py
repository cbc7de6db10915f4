"""Functions of JAX that are compiled as they are."""

from typing import TypeVar

import jax
import jax.numpy as jnp

from jaxtyping_core.typing import Float32

B = TypeVar("B")
D = TypeVar("D")


def compiled(x: Float32[B, D], y: Float32[D, B]) -> None:
    print(jax.jit(jnp.matmul)(x, y))
    print(jax.jit(jnp.sum)(x))
    print(jax.jit(jnp.sin)(x), jax.jit(jnp.add)(x, x))


if __name__ == "__main__":
    x = jnp.ones((2, 3))
    compiled(x, x.T)
