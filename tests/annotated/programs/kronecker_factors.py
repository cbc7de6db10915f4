"""Kronecker-factored curvature for a layer, checked against the full matrix."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


def kron(a: Float[Array, "p p"], b: Float[Array, "q q"]) -> Float[Array, "p*q p*q"]:
    p, q = a.shape[0], b.shape[0]
    return jnp.einsum("ij,kl->ikjl", a, b).reshape(p * q, p * q)


def factors(
    inputs: Float[Array, "n p"], output_grads: Float[Array, "n q"], damping: float
) -> tuple[Float[Array, "p p"], Float[Array, "q q"]]:
    n, p = inputs.shape
    q = output_grads.shape[1]
    a = inputs.T @ inputs / n + damping * jnp.eye(p)
    g = output_grads.T @ output_grads / n + damping * jnp.eye(q)
    return a, g


def precondition(
    a: Float[Array, "p p"], g: Float[Array, "q q"], grad: Float[Array, "p q"]
) -> Float[Array, "p q"]:
    return jnp.linalg.solve(a, jnp.linalg.solve(g, grad.T).T)


def flatten(grad: Float[Array, "p q"]) -> Float[Array, "p*q"]:
    return grad.reshape(-1)


def full_solve(
    a: Float[Array, "p p"], g: Float[Array, "q q"], grad: Float[Array, "p q"]
) -> Float[Array, "p q"]:
    return jnp.linalg.solve(kron(a, g), flatten(grad)).reshape(grad.shape)


def layer_loss(w: Float[Array, "p q"], x: Float[Array, "n p"], y: Float[Array, "n q"]) -> Float[Array, ""]:
    return 0.5 * jnp.sum((x @ w - y) ** 2) / x.shape[0]


x = jax.random.normal(jax.random.key(0), (10, 4))
w = jax.random.normal(jax.random.key(1), (4, 3))
y = jnp.tanh(x[:, :3])
grad = jax.grad(layer_loss)(w, x, y)
a, g = factors(x, x @ w - y, 0.1)
step = precondition(a, g, grad)
print(jnp.abs(step - full_solve(a, g, grad)).max(), layer_loss(w - step, x, y))
