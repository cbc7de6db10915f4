"""Dicts and lists of parameters, as hand-written training code has them."""

from typing import TypeVar

import jax
import jax.numpy as jnp

from jaxtyping_core.typing import Array, Float32

B = TypeVar("B")
D = TypeVar("D")
H = TypeVar("H")
Params = dict[str, Array]


def dense(x: Float32[B, D], w: Float32[D, H], b: Float32[H]) -> Float32[B, H]:
    return x @ w + b


def loss(params: Params, x: Float32[B, D]) -> Float32[()]:
    return jnp.mean(dense(x, params["w"], params["b"]) ** 2)


def train(x: Float32[B, D]) -> None:
    params: Params = {"w": jnp.ones((4, 8)), "b": jnp.zeros(8)}
    grads = jax.grad(loss)(params, x)
    for _ in range(3):
        params = {k: v - 0.1 * v for k, v in params.items()}
    params = {k: v - 0.1 * grads[k] for k, v in params.items()}
    print(loss(params, x), dense(x, params["w"], params["b"]))


def step(params: Params, x: Float32[B, D]) -> Params:
    grads = jax.grad(loss)(params, x)
    return {k: v - 0.1 * grads[k] for k, v in params.items()}


def layers(x: Float32[B, D], params: list[Params]) -> None:
    for layer in params:
        print(dense(x, layer["w"], layer["b"]))
    params = [{k: v - 0.1 * v for k, v in layer.items()} for layer in params]
    print(dense(x, params[0]["w"], params[0]["b"]))


if __name__ == "__main__":
    x = jnp.ones((2, 4))
    train(x)
    layers(x, [step({"w": jnp.ones((4, 8)), "b": jnp.zeros(8)}, x)])
