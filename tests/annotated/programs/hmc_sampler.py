"""Hamiltonian Monte Carlo for a logistic regression, chains in parallel."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, PRNGKeyArray

LogDensity = Callable[[Float[Array, "d"]], Float[Array, ""]]


class ChainState(NamedTuple):
    position: Float[Array, "d"]
    log_prob: Float[Array, ""]


def leapfrog(
    log_density: LogDensity, q: Float[Array, "d"], p: Float[Array, "d"], step: float, n: int
) -> tuple[Float[Array, "d"], Float[Array, "d"]]:
    def body(_: Array, state: tuple[Float[Array, "d"], Float[Array, "d"]]) -> tuple:
        q, p = state
        p = p + 0.5 * step * jax.grad(log_density)(q)
        q = q + step * p
        p = p + 0.5 * step * jax.grad(log_density)(q)
        return q, p

    return jax.lax.fori_loop(0, n, body, (q, p))


def hmc_step(log_density: LogDensity, key: PRNGKeyArray, q: Float[Array, "d"]) -> ChainState:
    p_key, u_key = jax.random.split(key)
    p = jax.random.normal(p_key, q.shape)
    q_new, p_new = leapfrog(log_density, q, p, 0.1, 5)
    current = log_density(q) - 0.5 * p @ p
    proposed = log_density(q_new) - 0.5 * p_new @ p_new
    accept: Bool[Array, ""] = jnp.log(jax.random.uniform(u_key)) < proposed - current
    position = jnp.where(accept, q_new, q)
    return ChainState(position, log_density(position))


def log_posterior(x: Float[Array, "n d"], y: Float[Array, "n"], w: Float[Array, "d"]) -> Float[Array, ""]:
    logits = x @ w
    return jnp.sum(y * logits - jnp.logaddexp(0.0, logits)) - 0.5 * jnp.sum(w**2)


def run(
    log_density: LogDensity, key: PRNGKeyArray, q0: Float[Array, "d"], steps: int
) -> Float[Array, "{steps} d"]:
    def body(q: Float[Array, "d"], key: PRNGKeyArray) -> tuple[Float[Array, "d"], Float[Array, "d"]]:
        state = hmc_step(log_density, key, q)
        return state.position, state.position

    return jax.lax.scan(body, q0, jax.random.split(key, steps))[1]


x = jax.random.normal(jax.random.key(0), (10, 3))
y = (x[:, 0] > 0).astype(jnp.float32)
chain = partial(run, partial(log_posterior, x, y), steps=6)
samples = jax.jit(jax.vmap(chain))(jax.random.split(jax.random.key(1), 4), jnp.zeros((4, 3)))
print(samples.mean(axis=(0, 1)))
