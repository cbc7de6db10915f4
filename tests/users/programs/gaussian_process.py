"""Gaussian process regression: kernel, Cholesky factor, posterior."""

from typing import TypeVar

import jax
import jax.numpy as jnp
from jax.scipy.linalg import cho_factor, cho_solve, solve_triangular

from jaxtyping_core.typing import Array, Float32

N = TypeVar("N", bound=int)
M = TypeVar("M", bound=int)
D = TypeVar("D", bound=int)


def rbf(x: Float32[N, D], y: Float32[M, D], length: float = 0.5) -> Float32[N, M]:
    gaps = (x[:, None] - y[None]) / length
    squares = jnp.einsum("nmd,nmd->nm", gaps, gaps)
    return jnp.exp(-0.5 * squares)


def posterior(
    train_x: Float32[N, D], train_y: Float32[N], test_x: Float32[M, D], noise: float = 0.1
) -> tuple[Float32[M], Float32[M, M]]:
    n = train_x.shape[0]
    covariance = rbf(train_x, train_x) + noise**2 * jnp.eye(n)
    cross = rbf(train_x, test_x)
    lower = jnp.linalg.cholesky(covariance)
    whitened = solve_triangular(lower, train_y, lower=True)
    alpha = solve_triangular(lower.T, whitened, lower=False)
    mean = cross.T @ alpha
    v = solve_triangular(lower, cross, lower=True)
    return mean, rbf(test_x, test_x) - v.T @ v


@jax.jit
def negative_log_likelihood(theta: Float32[()], x: Float32[N, D], y: Float32[N]) -> Array:
    n = x.shape[0]
    covariance = jnp.exp(theta) * rbf(x, x) + 0.01 * jnp.eye(n)
    factor = cho_factor(covariance, lower=True)
    fit = y @ cho_solve(factor, y)
    log_det = 2 * jnp.sum(jnp.log(jnp.diag(factor[0])))
    return 0.5 * (fit + log_det + n * jnp.log(2 * jnp.pi))


train_x = jnp.linspace(0.0, 1.0, 12).reshape(12, 1)
train_y = jnp.sin(6 * train_x[:, 0])
test_x = jnp.linspace(0.0, 1.2, 30)[:, None]

theta = jnp.array(0.0, dtype=jnp.float32)
for _ in range(5):
    slope = jax.grad(negative_log_likelihood)(theta, train_x, train_y)
    theta = theta - 0.05 * slope

mean, covariance = posterior(train_x, train_y, test_x)
std = jnp.sqrt(jnp.clip(jnp.diag(covariance), 0.0))
upper = mean + 2 * std
lower = mean - 2 * std
band = jnp.stack([lower, mean, upper], axis=1)
print(theta, band[::10])
