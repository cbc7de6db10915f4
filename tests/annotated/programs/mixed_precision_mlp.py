"""A network that keeps float32 parameters and computes in bfloat16."""

from itertools import pairwise

import jax
import jax.numpy as jnp
from jaxtyping import Array, BFloat16, Float, Float32, PyTree

MasterParams = PyTree[Float32[Array, "..."]]
ComputeParams = PyTree[BFloat16[Array, "..."]]


def to_compute(params: MasterParams) -> ComputeParams:
    return jax.tree.map(lambda p: p.astype(jnp.bfloat16), params)


def dense(
    x: BFloat16[Array, "b n"], w: BFloat16[Array, "n m"], b: BFloat16[Array, "m"]
) -> BFloat16[Array, "b m"]:
    return x @ w + b


def mlp(params: ComputeParams, x: BFloat16[Array, "b n"]) -> Float32[Array, "b out"]:
    *hidden, last = params
    for layer in hidden:
        x = jax.nn.gelu(dense(x, layer["w"], layer["b"]))
    return dense(x, last["w"], last["b"]).astype(jnp.float32)


def scaled_loss(
    params: MasterParams, x: Float32[Array, "b n"], y: Float32[Array, "b out"], scale: float
) -> Float32[Array, ""]:
    predicted = mlp(to_compute(params), x.astype(jnp.bfloat16))
    return scale * jnp.mean((predicted - y) ** 2)


def init(key: Array, sizes: list[int]) -> MasterParams:
    keys = jax.random.split(key, len(sizes) - 1)
    shapes = pairwise(sizes)
    return [
        {"w": jax.random.normal(k, (n, m)) * n**-0.5, "b": jnp.zeros(m)}
        for k, (n, m) in zip(keys, shapes, strict=True)
    ]


def finite(grads: PyTree[Float[Array, "..."]]) -> bool:
    return all(bool(jnp.isfinite(g).all()) for g in jax.tree.leaves(grads))


params = init(jax.random.key(0), [6, 10, 7, 2])
x = jax.random.normal(jax.random.key(1), (5, 6))
y = x[:, :2] * 0.5
loss, grads = jax.jit(jax.value_and_grad(scaled_loss), static_argnums=3)(params, x, y, 128.0)
if finite(grads):
    params = jax.tree.map(lambda p, g: p - 0.1 * g / 128.0, params, grads)
print(loss / 128.0)
