"""Random-walk Metropolis and Hamiltonian Monte Carlo on a banana-shaped density."""

from functools import partial
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax, random


class Chain(NamedTuple):
    position: jax.Array
    log_prob: jax.Array
    accepted: jax.Array


def log_density(theta: jax.Array) -> jax.Array:
    x, y = theta
    return -0.5 * (x**2 + (y - x**2) ** 2)


def metropolis_step(chain: Chain, key: jax.Array) -> tuple[Chain, jax.Array]:
    proposal_key, accept_key = random.split(key)
    proposal = chain.position + 0.5 * random.normal(proposal_key, (2,))
    log_prob = log_density(proposal)
    accept = jnp.log(random.uniform(accept_key)) < log_prob - chain.log_prob
    position = jnp.where(accept, proposal, chain.position)
    chain = Chain(
        position,
        jnp.where(accept, log_prob, chain.log_prob),
        chain.accepted + accept.astype(jnp.int32),
    )
    return chain, position


def leapfrog(position: jax.Array, momentum: jax.Array, step: float) -> tuple[jax.Array, jax.Array]:
    gradient = jax.grad(log_density)
    momentum = momentum + 0.5 * step * gradient(position)
    position = position + step * momentum
    momentum = momentum + 0.5 * step * gradient(position)
    return position, momentum


@partial(jax.jit, static_argnums=(1,))
def sample(key: jax.Array, n: int) -> tuple[Chain, jax.Array]:
    start = jnp.zeros(2)
    chain = Chain(start, log_density(start), jnp.array(0))
    return lax.scan(metropolis_step, chain, random.split(key, n))


key = random.PRNGKey(0)
chain, samples = sample(key, 500)
position, momentum = leapfrog(chain.position, jnp.ones(2), 0.1)

keys = random.split(random.PRNGKey(1), 4)
starts = jax.vmap(lambda k: random.normal(k, (2,)))(keys)
log_probs = jax.vmap(log_density)(starts)
identity = jnp.eye(2)
whitened = starts @ identity
distances = jnp.linalg.norm(whitened - position, axis=-1)
covariance = jnp.cov(samples, rowvar=False)
print("rate", chain.accepted / 500, "covariance", covariance)
print("distances", distances, "log densities", log_probs, "kinetic energy", momentum @ momentum / 2)
