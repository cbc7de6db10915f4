"""Finite differences of a trajectory, with one sample fewer at each order."""

import jax.numpy as jnp
from jaxtyping import Array, Float

Trajectory = Float[Array, "n d"]


def velocity(x: Trajectory, t: Float[Array, "n"]) -> Float[Array, "n-1 d"]:
    return (x[1:] - x[:-1]) / (t[1:] - t[:-1])[:, None]


def midpoints(t: Float[Array, "n"]) -> Float[Array, "n-1"]:
    return 0.5 * (t[1:] + t[:-1])


def acceleration(x: Trajectory, t: Float[Array, "n"]) -> Float[Array, "n-2 d"]:
    return velocity(velocity(x, t), midpoints(t))


def curvature(x: Float[Array, "n 2"], t: Float[Array, "n"]) -> Float[Array, "n-2"]:
    v = velocity(x, t)
    centered: Float[Array, "n-2 2"] = 0.5 * (v[1:] + v[:-1])
    a = acceleration(x, t)
    cross = centered[:, 0] * a[:, 1] - centered[:, 1] * a[:, 0]
    return cross / jnp.linalg.norm(centered, axis=-1) ** 3


def arc_length(x: Trajectory) -> Float[Array, "n"]:
    steps = jnp.linalg.norm(jnp.diff(x, axis=0), axis=-1)
    return jnp.concatenate([jnp.zeros(1), jnp.cumsum(steps)])


t = jnp.linspace(0.0, 1.5, 9)
x = jnp.stack([jnp.cos(t), 2 * jnp.sin(t)], axis=1)
print(curvature(x, t), arc_length(x)[-1])
