"""Kernel density estimates with closures: the inner functions name their own sizes."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

Density = Callable[[Float[Array, "m d"]], Float[Array, "m"]]


def make_kde(data: Float[Array, "n d"], bandwidth: float) -> Density:
    n, d = data.shape
    log_norm = jnp.log(n) + 0.5 * d * jnp.log(2 * jnp.pi * bandwidth**2)

    def log_density(points: Float[Array, "n d"]) -> Float[Array, "n"]:
        sq = jnp.sum((points[:, None] - data[None]) ** 2, axis=-1)
        return jax.nn.logsumexp(-0.5 * sq / bandwidth**2, axis=1) - log_norm

    return log_density


def gradient_flow(
    data: Float[Array, "n d"], points: Float[Array, "m d"], *, steps: int = 5, rate: float = 0.1
) -> Float[Array, "m d"]:
    """Mean shift of the points towards the modes of the data."""
    log_density = make_kde(data, 0.5)

    def total(n_points: Float[Array, "m d"]) -> Float[Array, ""]:
        return log_density(n_points).sum()

    def body(_: Array, x: Float[Array, "n d"]) -> Float[Array, "n d"]:
        return x + rate * jax.grad(total)(x)

    return jax.lax.fori_loop(0, steps, body, points)


def leave_one_out(data: Float[Array, "n d"], bandwidth: float) -> Float[Array, "n"]:
    def held_out(i: Array) -> Float[Array, ""]:
        rest = jnp.roll(data, -i, axis=0)[1:]

        def at(x: Float[Array, "d"]) -> Float[Array, ""]:
            sq: Float[Array, " n"] = jnp.sum((rest - x) ** 2, axis=-1)
            return jax.nn.logsumexp(-0.5 * sq / bandwidth**2)

        return at(data[i])

    return jax.vmap(held_out)(jnp.arange(data.shape[0]))


data = jax.random.normal(jax.random.key(0), (9, 2))
points = jnp.array([[1.0, 1.0], [-1.0, 0.0], [0.5, -2.0], [2.0, 2.0]])
print(gradient_flow(data, points), leave_one_out(data, 0.4).sum())
