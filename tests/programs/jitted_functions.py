"""Functions that are compiled as they are, and what they are compiled to."""

from functools import partial
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


def loss(x: jax.Array) -> jax.Array:
    return jnp.log(1.0 + jnp.exp(x)).sum()


def of_a_gradient(x: Float32[B]) -> None:
    print(len(jax.make_jaxpr(jax.grad(loss))(x).eqns))
    print(len(jax.make_jaxpr(jax.grad(loss), return_shape=True)(x)))
    print(len(jax.make_jaxpr(loss)(x).eqns), jax.make_jaxpr(jnp.sum)(x))


class Model:
    @jax.jit
    def apply(self, x: Float32[B]) -> Float32[B]:
        return x

    @partial(jax.jit, static_argnums=0)
    def scale(self, x: jax.Array) -> jax.Array:
        return x


class Doubled(Model):
    @jax.jit
    def apply(self, x: Float32[B]) -> Float32[B]:  # error in mypy, zuban, ty-strict, ty-configured, pyrefly-strict
        return 2 * x

    @partial(jax.jit, static_argnums=0)
    def scale(self, x: jax.Array) -> jax.Array:  # error in mypy, ty-strict, ty-configured, pyrefly-strict
        return 2 * x


if __name__ == "__main__":
    x = jnp.ones((2, 3))
    compiled(x, x.T)
    of_a_gradient(x[0])
