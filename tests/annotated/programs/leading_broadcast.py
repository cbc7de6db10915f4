"""Gaussian log densities whose parameters broadcast against the points."""

import math

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Num


def log_normal(
    x: Num[Array, "*#batch d"], mean: Float[Array, "*#batch d"], log_scale: Float[Array, "*#batch d"]
) -> Float[Array, "*batch"]:
    z = (x - mean) * jnp.exp(-log_scale)
    terms = -0.5 * z**2 - log_scale - 0.5 * math.log(2 * math.pi)
    return terms.sum(axis=-1)


def quadratic_form(
    x: Float[Array, "*#batch d"], precision: Float[Array, "*#batch d d"]
) -> Float[Array, "*batch"]:
    return jnp.einsum("...i,...ij,...j->...", x, precision, x)


def mixture_log_density(
    x: Num[Array, "n d"],
    log_weights: Float[Array, "k"],
    means: Float[Array, "k d"],
    log_scales: Float[Array, "k d"],
) -> Float[Array, "n"]:
    components: Float[Array, "n k"] = log_normal(x[:, None, :], means[None], log_scales[None])
    return jax.nn.logsumexp(components + log_weights, axis=-1)


def responsibilities(components: Float[Array, "n k"], log_weights: Float[Array, "k"]) -> Float[Array, "n k"]:
    return jax.nn.softmax(components + log_weights, axis=-1)


x = jax.random.normal(jax.random.key(0), (7, 2))
means = jnp.array([[0.0, 1.0], [2.0, -1.0], [-1.0, -1.0]])
log_scales = jnp.zeros((3, 2))
log_weights = jnp.log(jnp.array([0.5, 0.3, 0.2]))
components = log_normal(x[:, None, :], means[None], log_scales[None])
energy = quadratic_form(x, jnp.eye(2)[None])
counts = log_normal(jnp.arange(6).reshape(3, 2), means, log_scales)
print(mixture_log_density(x, log_weights, means, log_scales), energy, counts)
print(responsibilities(components, log_weights).sum(axis=0))
