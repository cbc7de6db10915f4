"""Gradient utilities on trees whose leaves are vectors of their own lengths."""

import jax
import jax.numpy as jnp
from jax.flatten_util import ravel_pytree
from jaxtyping import Array, Float, PyTree

Tree = PyTree[Float[Array, "?n"], "T"]


def add(
    x: PyTree[Float[Array, "?n"], "T"], y: PyTree[Float[Array, "?n"], "T"]
) -> PyTree[Float[Array, "?n"], "T"]:
    return jax.tree.map(jnp.add, x, y)


def scale(x: Tree, by: Float[Array, ""]) -> Tree:
    return jax.tree.map(lambda leaf: by * leaf, x)


def inner(x: Tree, y: Tree) -> Float[Array, ""]:
    products = jax.tree.map(jnp.vdot, x, y)
    return sum(jax.tree.leaves(products), start=jnp.zeros(()))


def clip(grads: Tree, limit: float) -> Tree:
    norm = jnp.sqrt(inner(grads, grads))
    return scale(grads, jnp.minimum(1.0, limit / norm))


def flatten(x: PyTree[Float[Array, "..."]]) -> Float[Array, "total"]:
    return ravel_pytree(x)[0]


def loss(params: PyTree[Float[Array, "_"], "T"], x: Float[Array, "b d"]) -> Float[Array, ""]:
    hidden = jnp.tanh(x * params["input"][None, :]).sum(axis=1)
    return jnp.mean(hidden[:, None] * params["output"]) + jnp.sum(params["offsets"][0] ** 2)


params = {
    "input": jnp.linspace(-1.0, 1.0, 4),
    "output": jnp.array([2.0, -1.0]),
    "offsets": (jnp.ones(3), jnp.ones(5)),
}
x = jax.random.normal(jax.random.key(0), (7, 4))
value, grads = jax.value_and_grad(loss)(params, x)
step = scale(clip(grads, 1.0), jnp.array(-0.1))
moved = add(params, step)
print(value, loss(moved, x), flatten(moved))
