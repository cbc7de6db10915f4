"""Dicts and lists of parameters, as hand-written training code has them."""

import jax
import jax.numpy as jnp

from jaxtyping_core.typing import Array, Float32

Params = dict[str, Array]


def dense(x: Float32, w: Float32, b: Float32) -> Float32:
    return x @ w + b


def loss(params: Params, x: Float32) -> Array:
    return jnp.mean(dense(x, params["w"], params["b"]) ** 2)


def flat(x: Float32) -> Float32:
    params = {"w": jnp.ones((4, 8)), "b": jnp.zeros(8)}
    y = dense(x, params["w"], params["b"])
    print(loss(params, x))
    return y


def update(x: Float32) -> Float32:
    params = {"w": jnp.ones((4, 8)), "b": jnp.zeros(8)}
    grads = jax.grad(loss)(params, x)
    for _ in range(3):
        params = {k: v - 0.1 * v for k, v in params.items()}
    params = {k: v - 0.1 * grads[k] for k, v in params.items()}
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    print(loss(params, x))
    return dense(x, params["w"], params["b"])


def declared(params: Params, x: Float32) -> Params:
    grads = jax.grad(loss)(params, x)
    params = {k: v - 0.1 * grads[k] for k, v in params.items()}
    return {k: v - 0.1 * v for k, v in params.items()}


def layers(x: Float32) -> Float32:
    params = [(jnp.ones((4, 4)), jnp.zeros(4)) for _ in range(3)]
    for w, b in params:
        x = jax.nn.relu(dense(x, w, b))
    params = [(w - 0.1 * w, b - 0.1 * b) for w, b in params]
    return dense(x, *params[0])


if __name__ == "__main__":
    x = jnp.ones((2, 4))
    print(flat(x), update(x), declared({"w": jnp.ones((4, 8)), "b": jnp.zeros(8)}, x), layers(x))
