"""Transformations of lambdas, and of functions of JAX. The strictest settings want lambdas with types."""

from typing import TypeVar

import jax
import jax.numpy as jnp

from jaxtyping_core.typing import Float32

B = TypeVar("B")
D = TypeVar("D")


def of_functions(x: Float32[B, D], y: Float32[D, B]) -> None:
    print(jax.vmap(jnp.dot)(x, x), jax.vmap(jnp.sum)(x), jax.vmap(jnp.add, in_axes=(0, None))(x, y[:, 0]))


def of_lambdas(x: Float32[B, D]) -> None:
    print(jax.vmap(lambda a: a + 1)(x))  # error in pyright-strict
    print(jax.vmap(jax.vmap(lambda a: a + 1))(x))  # error in pyright-strict


if __name__ == "__main__":
    x = jnp.ones((2, 3))
    of_functions(x, x.T)
    of_lambdas(x)
