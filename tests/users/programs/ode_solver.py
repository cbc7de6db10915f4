"""Runge-Kutta integration of a pendulum and of the Lorenz system."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jax import Array, lax

Field = Callable[[Array, Array], Array]


def rk4_step(field: Field, y: Array, t: Array, dt: float) -> Array:
    k1 = field(y, t)
    k2 = field(y + 0.5 * dt * k1, t + 0.5 * dt)
    k3 = field(y + 0.5 * dt * k2, t + 0.5 * dt)
    k4 = field(y + dt * k3, t + dt)
    return y + dt / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4)


def integrate(field: Field, y0: Array, ts: Array) -> Array:
    dt = 0.01

    def step(y: Array, t: Array) -> tuple[Array, Array]:
        y = rk4_step(field, y, t, dt)
        return y, y

    _, ys = lax.scan(step, y0, ts)
    return jnp.concatenate([y0[None], ys], axis=0)


def pendulum(y: Array, t: Array) -> Array:
    angle, velocity = y
    return jnp.array([velocity, -9.81 * jnp.sin(angle) - 0.1 * velocity])


def lorenz(y: Array, t: Array) -> Array:
    x, y_, z = y[0], y[1], y[2]
    return jnp.stack([10.0 * (y_ - x), x * (28.0 - z) - y_, x * y_ - 8.0 / 3.0 * z])


ts = jnp.arange(0.0, 1.0, 0.01)
start = jnp.array([jnp.pi / 4, 0.0])
swing = jax.jit(integrate, static_argnums=0)(pendulum, start, ts)

starts = jnp.array([[1.0, 1.0, 1.0], [1.0, 1.0, 1.001]])
paths = jax.vmap(lambda s: integrate(lorenz, s, ts))(starts)
divergence = jnp.linalg.norm(paths[0] - paths[1], axis=-1)

stiffness = jnp.array([[0.0, 1.0], [-4.0, -0.4]])
state = jnp.array([1.0, 0.0])
identity = jnp.eye(2)
propagator = jnp.linalg.solve(identity - 0.005 * stiffness, identity + 0.005 * stiffness)
for _ in range(10):
    state = propagator @ state
energy = 0.5 * state @ state
trajectory = jnp.stack([start, state], axis=0)
jacobian = jax.jacfwd(lambda s: rk4_step(pendulum, s, jnp.array(0.0), 0.01))(start)
print(swing.shape, divergence[-1], energy, trajectory, jacobian)
