"""Gaussian process regression with two kernels, fitted by gradient descent."""

import sys
from functools import partial

import jax
import jax.numpy as jnp
import jax.scipy as jsp

JITTER = 1e-4


def squared_distance(x, y):
    return jnp.sum((x - y) ** 2)


def rbf(params, x, y):
    return jnp.exp(params["log_variance"] - 0.5 * squared_distance(x, y) / jnp.exp(params["log_length"]))


def matern(params, x, y):
    distance = jnp.sqrt(squared_distance(x, y) + 1e-12) / jnp.exp(params["log_length"])
    return jnp.exp(params["log_variance"]) * (1 + jnp.sqrt(3.0) * distance) * jnp.exp(-jnp.sqrt(3.0) * distance)


def gram(kernel, params, xs, ys):
    return jax.vmap(lambda x: jax.vmap(lambda y: kernel(params, x, y))(ys))(xs)


def log_marginal(kernel, params, x, y):
    n = x.shape[0]
    k = gram(kernel, params, x, x) + (jnp.exp(params["log_noise"]) + JITTER) * jnp.eye(n)
    chol = jnp.linalg.cholesky(k)
    alpha = jsp.linalg.cho_solve((chol, True), y)
    return -0.5 * y @ alpha - jnp.sum(jnp.log(jnp.diag(chol))) - 0.5 * n * jnp.log(2 * jnp.pi)


@partial(jax.jit, static_argnums=0)
def fit_step(kernel, params, x, y, rate):
    value, grads = jax.value_and_grad(log_marginal, argnums=1)(kernel, params, x, y)
    return jax.tree.map(lambda p, g: p + rate * g, params, grads), value


def posterior(kernel, params, x, y, x_new):
    k = gram(kernel, params, x, x) + (jnp.exp(params["log_noise"]) + JITTER) * jnp.eye(len(x))
    k_new = gram(kernel, params, x_new, x)
    factor = jsp.linalg.cho_factor(k)
    mean = k_new @ jsp.linalg.cho_solve(factor, y)
    cov = gram(kernel, params, x_new, x_new) - k_new @ jsp.linalg.cho_solve(factor, k_new.T)
    return mean, jnp.sqrt(jnp.clip(jnp.diag(cov), 0))


def initial_params():
    return {"log_variance": jnp.array(0.0), "log_length": jnp.array(0.0), "log_noise": jnp.array(-2.0)}


def target(x):
    return jnp.sin(3 * x[:, 0]) + 0.3 * x[:, 1]


def main(n=20, n_new=20, d=2):
    k1, k2, k3 = jax.random.split(jax.random.key(0), 3)
    x = jax.random.uniform(k1, (n, d))
    y = target(x) + 0.1 * jax.random.normal(k2, (n,))
    x_new = jax.random.uniform(k3, (n_new, d))
    for kernel in rbf, matern:
        params = initial_params()
        for _ in range(5):
            params, value = fit_step(kernel, params, x, y, 0.05)
        mean, std = posterior(kernel, params, x, y, x_new)
        print(kernel.__name__, value, jnp.abs(mean - target(x_new)).mean(), std.mean())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
