"""A dict of parameters whose type the program does not say."""

from typing import TypeVar

import jax.numpy as jnp

from jaxtyping_core.typing import Float32

B = TypeVar("B")
D = TypeVar("D")
H = TypeVar("H")


def dense(x: Float32[B, D], w: Float32[D, H], b: Float32[H]) -> Float32[B, H]:
    return x @ w + b


def train(x: Float32[B, D]) -> None:
    params = {"w": jnp.ones((4, 8)), "b": jnp.zeros(8)}
    params = {k: v - 0.1 * v for k, v in params.items()}
    print(dense(x, params["w"], params["b"]))


if __name__ == "__main__":
    train(jnp.ones((2, 4)))
