"""Functions with gradients of their own: a clipped identity, a straight-through rounding, a stable norm."""

from functools import partial
from typing import TypeVar

import jax
import jax.numpy as jnp

from jaxtyping_core.typing import Array, Float32

B = TypeVar("B", bound=int)
D = TypeVar("D", bound=int)


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def clip_gradient(x: Array, limit: float) -> Array:
    return x


def clip_forward(x: Array, limit: float) -> tuple[Array, None]:
    return x, None


def clip_backward(limit: float, _: None, g: Array) -> tuple[Array]:
    return (jnp.clip(g, -limit, limit),)


clip_gradient.defvjp(clip_forward, clip_backward)


def straight_through(x: Float32[B, D]) -> Float32[B, D]:
    rounded = jnp.round(x)
    return x + jax.lax.stop_gradient(rounded - x)


@jax.custom_jvp
def safe_norm(x: Array) -> Array:
    return jnp.sqrt(jnp.sum(x**2) + 1e-12)


@safe_norm.defjvp
def safe_norm_jvp(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
    (x,) = primals
    (dx,) = tangents
    norm = safe_norm(x)
    return norm, jnp.vdot(x, dx) / norm


def quantize(x: Float32[B, D], codebook: Float32[D, D]) -> Float32[B, D]:
    projected = straight_through(x @ codebook)
    return projected @ codebook.T


def loss(x: Float32[B, D], codebook: Float32[D, D]) -> Float32[()]:
    error = quantize(x, codebook) - x
    return jnp.sum(error * error) / x.shape[0]


x = jax.random.normal(jax.random.key(0), (6, 4))
codebook = jnp.eye(4) + 0.1 * jax.random.normal(jax.random.key(1), (4, 4))
value, gradient = jax.value_and_grad(loss, argnums=1)(x, codebook)
codebook = codebook - 0.01 * gradient

clipped = jax.grad(lambda z: jnp.sum(clip_gradient(z, 0.5) ** 2))(jnp.array([0.1, 2.0, -3.0]))
norm_gradient = jax.grad(safe_norm)(jnp.zeros(3))
primal, tangent = jax.jvp(safe_norm, (jnp.ones(4),), (jnp.ones(4),))
reconstructed = quantize(x, codebook)
print(value, clipped, norm_gradient, primal, tangent, reconstructed[0])
