"""Low-rank adapters on frozen weights, their application bound with functools.partial."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Key

Weight = Float[Array, "d_in d_out"]


class Adapter(NamedTuple):
    down: Float[Array, "d_in r"]
    up: Float[Array, "r d_out"]


def init_adapter(key: Key[Array, ""], weight: Weight, rank: int) -> Adapter:
    d_in, d_out = weight.shape
    down = jax.random.normal(key, (d_in, rank)) * rank**-0.5
    return Adapter(down, jnp.zeros((rank, d_out)))


def merge(
    weight: Weight, down: Float[Array, "d_in r"], up: Float[Array, "r d_out"], *, scale: float = 1.0
) -> Weight:
    return weight + scale * down @ up


def forward(
    apply: Callable[..., Weight], weight: Weight, adapter: Adapter, x: Float[Array, "b d_in"]
) -> Float[Array, "b d_out"]:
    return x @ apply(weight, adapter.down, adapter.up)


def fit_loss(
    adapter: Adapter, weight: Weight, x: Float[Array, "b d_in"], y: Float[Array, "b d_out"]
) -> Float[Array, ""]:
    half_merge = partial(merge, scale=0.5)
    residual = forward(half_merge, weight, adapter, x) - y
    return jnp.mean(residual**2)


w_key, a_key, x_key = jax.random.split(jax.random.key(0), 3)
weight = jax.random.normal(w_key, (6, 4))
adapter = init_adapter(a_key, weight, rank=2)
x = jax.random.normal(x_key, (9, 6))
y = jnp.roll(x, 1, axis=0)[:, :4]
step = jax.jit(jax.value_and_grad(fit_loss))
for _ in range(3):
    loss, grads = step(adapter, weight, x, y)
    adapter = jax.tree.map(lambda p, g: p - 0.1 * g, adapter, grads)
print(loss)
