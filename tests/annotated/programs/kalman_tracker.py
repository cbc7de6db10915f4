"""A Kalman filter over noisy measurements, its beliefs in a named tuple."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


class Gaussian(NamedTuple):
    mean: Float[Array, "d"]
    cov: Float[Array, "d d"]


def predict(
    mean: Float[Array, "d"], cov: Float[Array, "d d"], f: Float[Array, "d d"], q: Float[Array, "d d"]
) -> Gaussian:
    return Gaussian(f @ mean, f @ cov @ f.T + q)


def kalman_gain(
    cov: Float[Array, "d d"], h: Float[Array, "m d"], r: Float[Array, "m m"]
) -> Float[Array, "d m"]:
    s = h @ cov @ h.T + r
    return jnp.linalg.solve(s, h @ cov).T


def update(
    belief: Gaussian, z: Float[Array, "m"], h: Float[Array, "m d"], r: Float[Array, "m m"]
) -> Gaussian:
    gain = kalman_gain(belief.cov, h, r)
    innovation = z - h @ belief.mean
    cov = belief.cov - gain @ h @ belief.cov
    return Gaussian(belief.mean + gain @ innovation, 0.5 * (cov + cov.T))


def run_filter(
    prior: Gaussian,
    zs: Float[Array, "time m"],
    f: Float[Array, "d d"],
    h: Float[Array, "m d"],
) -> Float[Array, "time d"]:
    q = 0.01 * jnp.eye(f.shape[0])
    r = 0.1 * jnp.eye(h.shape[0])

    def step(belief: Gaussian, z: Float[Array, "m"]) -> tuple[Gaussian, Float[Array, "d"]]:
        posterior = update(predict(belief.mean, belief.cov, f, q), z, h, r)
        return posterior, posterior.mean

    _, means = jax.lax.scan(step, prior, zs)
    return means


dt = 0.1
f = jnp.block([[jnp.eye(2), dt * jnp.eye(2)], [jnp.zeros((2, 2)), jnp.eye(2)]])
h = jnp.eye(2, 4)
zs = jnp.cumsum(0.1 * jax.random.normal(jax.random.key(0), (7, 2)), axis=0)
print(run_filter(Gaussian(jnp.zeros(4), jnp.eye(4)), zs, f, h)[-1])
