"""Stein variational gradient descent of particles towards a mixture."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


def rbf(x: Float[Array, "d"], y: Float[Array, "d"], h: Float[Array, ""]) -> Float[Array, ""]:
    return jnp.exp(-jnp.sum((x - y) ** 2) / h)


def median_bandwidth(particles: Float[Array, "n d"]) -> Float[Array, ""]:
    n = particles.shape[0]
    sq = jnp.sum((particles[:, None] - particles[None]) ** 2, axis=-1)
    return jnp.median(sq) / jnp.log(n + 1.0)


def stein_direction(particles: Float[Array, "n d"], scores: Float[Array, "n d"]) -> Float[Array, "n d"]:
    h = median_bandwidth(particles)

    def direction(x: Float[Array, "d"]) -> Float[Array, "d"]:
        weights = jax.vmap(rbf, in_axes=(0, None, None))(particles, x, h)
        pull = jax.vmap(jax.grad(rbf), in_axes=(0, None, None))(particles, x, h)
        return (weights @ scores + pull.sum(axis=0)) / particles.shape[0]

    return jax.vmap(direction)(particles)


def svgd(
    log_density: Callable[[Float[Array, "d"]], Float[Array, ""]],
    particles: Float[Array, "n d"],
    steps: int,
    *,
    rate: float = 0.3,
) -> Float[Array, "n d"]:
    score = jax.vmap(jax.grad(log_density))

    def body(_: Array, x: Float[Array, "n d"]) -> Float[Array, "n d"]:
        return x + rate * stein_direction(x, score(x))

    return jax.lax.fori_loop(0, steps, body, particles)


def mixture(x: Float[Array, "d"]) -> Float[Array, ""]:
    left = -0.5 * jnp.sum((x - 2.0) ** 2)
    right = -0.5 * jnp.sum((x + 2.0) ** 2)
    return jnp.logaddexp(left, right)


particles = jax.random.normal(jax.random.key(0), (7, 2))
print(svgd(mixture, particles, 20))
