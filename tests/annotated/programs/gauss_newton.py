"""Gauss-Newton and Levenberg-Marquardt steps for nonlinear least squares."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

Residual = Callable[[Float[Array, "p"]], Float[Array, "m"]]


def jacobian(residual: Residual, theta: Float[Array, "p"]) -> Float[Array, "m p"]:
    return jax.jacfwd(residual)(theta)


def normal_equations(
    j: Float[Array, "m p"], r: Float[Array, "m"], damping: Float[Array, ""]
) -> tuple[Float[Array, "p p"], Float[Array, "p"]]:
    gram = j.T @ j
    return gram + damping * jnp.diag(jnp.diag(gram)), j.T @ r


def lm_step(
    residual: Residual, theta: Float[Array, "p"], damping: Float[Array, ""]
) -> tuple[Float[Array, "p"], Float[Array, ""]]:
    r = residual(theta)
    lhs, rhs = normal_equations(jacobian(residual, theta), r, damping)
    proposal = theta - jnp.linalg.solve(lhs, rhs)
    better = jnp.sum(residual(proposal) ** 2) < jnp.sum(r**2)
    return jnp.where(better, proposal, theta), jnp.where(better, damping / 3, damping * 2)


def fit(residual: Residual, theta: Float[Array, "p"], steps: int = 10) -> Float[Array, "p"]:
    def body(_: Array, state: tuple[Float[Array, "p"], Float[Array, ""]]) -> tuple:
        return lm_step(residual, *state)

    theta, _ = jax.lax.fori_loop(0, steps, body, (theta, jnp.array(1e-2)))
    return theta


def covariance(residual: Residual, theta: Float[Array, "p"]) -> Float[Array, "p p"]:
    j = jacobian(residual, theta)
    m, p = j.shape
    sigma2 = jnp.sum(residual(theta) ** 2) / (m - p)
    return sigma2 * jnp.linalg.inv(j.T @ j)


t = jnp.linspace(0.0, 3.0, 12)
data = 2.0 * jnp.exp(-1.3 * t) + 0.5


def decay_residual(theta: Float[Array, "3"]) -> Float[Array, "12"]:
    amplitude, rate, offset = theta
    return amplitude * jnp.exp(-rate * t) + offset - data


theta = fit(decay_residual, jnp.array([1.0, 1.0, 0.0]))
print(theta, jnp.diag(covariance(decay_residual, theta)))
