"""A bootstrap particle filter that resamples only when the weights degenerate."""

from collections.abc import Callable
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax
from jaxtyping import Array, Float, Int, Key, Scalar

Motion = Callable[[Key[Array, ""], Float[Array, "p d"]], Float[Array, "p d"]]


class Particles(NamedTuple):
    states: Float[Array, "p d"]
    log_weights: Float[Array, "p"]


def effective_size(log_weights: Float[Array, "p"]) -> Scalar:
    weights = jax.nn.softmax(log_weights)
    return 1.0 / jnp.sum(weights**2)


def systematic(key: Key[Array, ""], log_weights: Float[Array, "p"]) -> Int[Array, "p"]:
    p = log_weights.shape[0]
    positions = (jnp.arange(p) + jax.random.uniform(key)) / p
    return jnp.searchsorted(jnp.cumsum(jax.nn.softmax(log_weights)), positions).clip(0, p - 1)


def maybe_resample(key: Key[Array, ""], particles: Particles) -> Particles:
    def resample(particles: Particles) -> Particles:
        chosen = systematic(key, particles.log_weights)
        return Particles(particles.states[chosen], jnp.zeros_like(particles.log_weights))

    def keep(particles: Particles) -> Particles:
        return particles

    threshold = 0.5 * particles.states.shape[0]
    return lax.cond(effective_size(particles.log_weights) < threshold, resample, keep, particles)


def log_likelihood(
    states: Float[Array, "p d"], z: Float[Array, "m"], h: Float[Array, "m d"]
) -> Float[Array, "p"]:
    return -2.0 * jnp.sum((states @ h.T - z) ** 2, axis=-1)


def run(
    key: Key[Array, ""], start: Particles, motion: Motion, zs: Float[Array, "t m"], h: Float[Array, "m d"]
) -> Float[Array, "t d"]:
    def step(
        particles: Particles, inputs: tuple[Key[Array, ""], Float[Array, "m"]]
    ) -> tuple[Particles, Float[Array, "d"]]:
        step_key, z = inputs
        move_key, resample_key = jax.random.split(step_key)
        particles = maybe_resample(resample_key, particles)
        states = motion(move_key, particles.states)
        log_weights = particles.log_weights + log_likelihood(states, z, h)
        return Particles(states, log_weights), jax.nn.softmax(log_weights) @ states

    return lax.scan(step, start, (jax.random.split(key, zs.shape[0]), zs))[1]


def random_walk(key: Key[Array, ""], states: Float[Array, "p d"]) -> Float[Array, "p d"]:
    return states + 0.3 * jax.random.normal(key, states.shape)


start = Particles(jax.random.normal(jax.random.key(0), (12, 3)), jnp.zeros(12))
zs = jnp.linspace(0.0, 2.0, 10).reshape(5, 2)
print(run(jax.random.key(1), start, random_walk, zs, jnp.eye(2, 3)))
