"""Transformations of functions of JAX, and of lambdas."""

from typing import TypeVar

import jax
import jax.numpy as jnp
from typing_extensions import reveal_type

from jaxtyping_core.typing import Array, Float32

B = TypeVar("B")
D = TypeVar("D")


def of_functions(x: Float32[B, D], y: Float32[D, B]) -> None:
    print(jax.jit(jnp.matmul)(x, y), jax.jit(jnp.sum)(x), jax.jit(jnp.sin)(x), jax.jit(jnp.add)(x, x))
    print(jax.vmap(jnp.dot)(x, x), jax.vmap(jnp.sum)(x), jax.vmap(jnp.add, in_axes=(0, None))(x, y[:, 0]))


def of_lambdas(x: Float32[B, D]) -> Array:
    print(jax.vmap(lambda a: a + 1)(x))
    print(jax.vmap(jax.vmap(lambda a: a + 1))(x))
    print(jax.jit(jax.vmap(lambda a: a.sum()))(x))
    return jax.vmap(jax.vmap(lambda a: jnp.sin(a), in_axes=0), in_axes=1)(x)


if __name__ == "__main__":
    x = jnp.ones((2, 3))
    of_functions(x, x.T)
    print(of_lambdas(x))
