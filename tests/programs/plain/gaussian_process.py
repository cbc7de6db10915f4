"""Regression with kernels made of lambdas: composed, differentiated in their hyperparameters, sampled."""

import jax
import jax.numpy as jnp
from jax.scipy.linalg import cho_solve, cholesky, solve_triangular

rbf = lambda x, y, length=1.0: jnp.exp(-0.5 * ((x - y) / length) ** 2)
periodic = lambda x, y, period=1.0: jnp.exp(-2 * jnp.sin(jnp.pi * (x - y) / period) ** 2)
linear = lambda x, y: x * y


class Kernel:
    def __init__(self, f):
        self.f = f

    def __call__(self, xs, ys=None):
        ys = xs if ys is None else ys
        return jax.vmap(lambda x: jax.vmap(lambda y: self.f(x, y))(ys))(xs)

    def __add__(self, other):
        return Kernel(lambda x, y: self.f(x, y) + other.f(x, y))

    def __mul__(self, other):
        if not isinstance(other, Kernel):
            return Kernel(lambda x, y: other * self.f(x, y))
        return Kernel(lambda x, y: self.f(x, y) * other.f(x, y))

    __rmul__ = __mul__


def make_kernel(theta):
    length, amplitude, _ = jnp.exp(theta)
    return amplitude * Kernel(lambda x, y: rbf(x, y, length)) + 0.1 * Kernel(periodic) * Kernel(linear)


def posterior(theta, x, y, x_new):
    kernel = make_kernel(theta)
    noise = jnp.exp(theta[2])
    L = cholesky(kernel(x) + noise * jnp.eye(x.size), lower=True)
    alpha = cho_solve((L, True), y)
    cross = kernel(x_new, x)
    mean = cross @ alpha
    v = solve_triangular(L, cross.T, lower=True)
    covariance = kernel(x_new) - v.T @ v
    return mean, covariance


def negative_log_likelihood(theta, x, y):
    K = make_kernel(theta)(x) + jnp.exp(theta[2]) * jnp.eye(len(x))
    L = cholesky(K, lower=True)
    white = solve_triangular(L, y, lower=True)
    return 0.5 * white @ white + jnp.log(jnp.diagonal(L)).sum() + 0.5 * len(x) * jnp.log(2 * jnp.pi)


def expected_improvement(mean, std, best):
    z = (mean - best) / std
    return std * (z * jax.scipy.stats.norm.cdf(z) + jax.scipy.stats.norm.pdf(z))


objective = lambda x: jnp.sin(3 * x) + 0.3 * x
x = jnp.array([-1.5, -0.2, 0.4, 1.7])
y = objective(x)
theta = jnp.log(jnp.array([0.7, 1.0, 0.01]))
value_and_grad = jax.jit(jax.value_and_grad(negative_log_likelihood))
for i in range(8):
    value, gradient = value_and_grad(theta, x, y)
    theta = theta - 0.05 * gradient / (1 + jnp.abs(gradient))
grid = jnp.linspace(-2, 2, 41)
for _ in range(2):
    mean, covariance = posterior(theta, x, y, grid)
    std = jnp.sqrt(jnp.clip(jnp.diag(covariance), 1e-8))
    gain = expected_improvement(mean, std, y.max())
    x_next = grid[gain.argmax()]
    x, y = jnp.append(x, x_next), jnp.append(y, objective(x_next))
band = jnp.stack([mean - 2 * std, mean + 2 * std])
draws = jax.random.multivariate_normal(jax.random.PRNGKey(0), mean, covariance + 1e-4 * jnp.eye(41), (3,))
slope = jax.vmap(jax.grad(lambda p: posterior(theta, x, y, p[None])[0][0]))(grid)
fisher = jax.hessian(negative_log_likelihood)(theta, x, y)
print(value, theta, x, band.shape, draws.shape, slope.shape, fisher.shape)
