"""Gradients summed over micro-batches by lax.scan, with clipping by the global norm."""

from typing import Any

import jax
import jax.numpy as jnp
import optax
from jax import lax

PyTree = Any


def init(key: jax.Array) -> dict[str, dict[str, jax.Array]]:
    params = {}
    sizes = [6, 12, 1]
    for i, (n, m) in enumerate(zip(sizes[:-1], sizes[1:])):
        key, subkey = jax.random.split(key)
        params[f"layer{i}"] = {"w": jax.random.normal(subkey, (n, m)) / jnp.sqrt(n), "b": jnp.zeros(m)}
    return params


def model(params: dict[str, dict[str, jax.Array]], x: jax.Array) -> jax.Array:
    for name, layer in params.items():
        x = x @ layer["w"] + layer["b"]
        if name != "layer1":
            x = jax.nn.swish(x)
    return x.squeeze(-1)


def loss(params: PyTree, batch: tuple[jax.Array, jax.Array]) -> jax.Array:
    x, y = batch
    return optax.huber_loss(model(params, x), y).mean()


def accumulate(params: PyTree, xs: jax.Array, ys: jax.Array) -> tuple[jax.Array, PyTree]:
    def micro_step(carry: tuple[jax.Array, PyTree], batch: tuple[jax.Array, jax.Array]) -> tuple[tuple[jax.Array, PyTree], None]:
        total, grads = carry
        value, new = jax.value_and_grad(loss)(params, batch)
        return (total + value, jax.tree.map(jnp.add, grads, new)), None

    zeros = jax.tree.map(jnp.zeros_like, params)
    (total, grads), _ = lax.scan(micro_step, (jnp.zeros(()), zeros), (xs, ys))
    count = xs.shape[0]
    return total / count, jax.tree.map(lambda g: g / count, grads)


def clip(grads: PyTree, limit: float) -> PyTree:
    norm = jnp.sqrt(sum(jnp.sum(g**2) for g in jax.tree.leaves(grads)))
    factor = jnp.minimum(1.0, limit / (norm + 1e-6))
    return jax.tree.map(lambda g: g * factor, grads)


@jax.jit
def train_step(params: PyTree, xs: jax.Array, ys: jax.Array) -> tuple[PyTree, jax.Array]:
    value, grads = accumulate(params, xs, ys)
    grads = clip(grads, 1.0)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


data = jax.random.normal(jax.random.key(0), (32, 6))
direction = jnp.array([1.0, 0.5, -0.5, 0.0, 2.0, -1.0])
target = jnp.tanh(data @ direction)
micro_x = data.reshape(4, 8, 6)
micro_y = target.reshape(4, 8)
params = init(jax.random.key(1))
for _ in range(3):
    params, value = train_step(params, micro_x, micro_y)
    print("loss", value)
per_batch = jnp.einsum("nbi,i->nb", micro_x, direction)
print("largest gap", jnp.abs(jnp.tanh(per_batch) - micro_y).max())
