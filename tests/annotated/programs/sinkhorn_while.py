"""Entropic optimal transport by Sinkhorn iterations in a while loop."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.scipy.special import logsumexp
from jaxtyping import Array, Bool, Float, Int


class Potentials(NamedTuple):
    f: Float[Array, "n"]
    g: Float[Array, "m"]
    error: Float[Array, ""]
    step: Int[Array, ""]


def squared_cost(x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n m"]:
    return jnp.sum((x[:, None] - y[None, :]) ** 2, axis=-1)


def row_marginal(
    f: Float[Array, "n"], g: Float[Array, "m"], cost: Float[Array, "n m"], eps: float
) -> Float[Array, "n"]:
    return logsumexp((f[:, None] + g[None, :] - cost) / eps, axis=1)


def sinkhorn(
    cost: Float[Array, "n m"],
    log_a: Float[Array, "n"],
    log_b: Float[Array, "m"],
    *,
    eps: float = 0.1,
    tolerance: float = 1e-3,
    max_steps: int = 50,
) -> Potentials:
    def proceed(state: Potentials) -> Bool[Array, ""]:
        return (state.error > tolerance) & (state.step < max_steps)

    def improve(state: Potentials) -> Potentials:
        f = eps * (log_a - logsumexp((state.g[None, :] - cost) / eps, axis=1))
        g = eps * (log_b - logsumexp((f[:, None] - cost) / eps, axis=0))
        error = jnp.abs(jnp.exp(row_marginal(f, g, cost, eps)) - jnp.exp(log_a)).sum()
        return Potentials(f, g, error, state.step + 1)

    start = Potentials(jnp.zeros_like(log_a), jnp.zeros_like(log_b), jnp.array(jnp.inf), jnp.array(0))
    return jax.lax.while_loop(proceed, improve, start)


x = jax.random.normal(jax.random.key(0), (5, 2))
y = 1.0 + jax.random.normal(jax.random.key(1), (8, 2))
result = sinkhorn(squared_cost(x, y), jnp.full(5, -jnp.log(5.0)), jnp.full(8, -jnp.log(8.0)))
print(result.step, result.f @ jnp.full(5, 0.2) + result.g @ jnp.full(8, 0.125))
