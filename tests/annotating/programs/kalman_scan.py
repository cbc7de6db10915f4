"""A Kalman filter and smoother for a moving point, with scan."""

import sys
from collections import namedtuple

import jax
import jax.numpy as jnp

Model = namedtuple("Model", ["transition", "emission", "q", "r"])


def constant_velocity(dt, noise):
    transition = jnp.array([[1.0, 0, dt, 0], [0, 1, 0, dt], [0, 0, 1, 0], [0, 0, 0, 1]])
    emission = jnp.eye(2, 4)
    return Model(transition, emission, 0.01 * jnp.eye(4), noise * jnp.eye(2))


def predict(model, mean, cov):
    mean = model.transition @ mean
    cov = model.transition @ cov @ model.transition.T + model.q
    return mean, cov


def update(model, mean, cov, y):
    residual = y - model.emission @ mean
    s = model.emission @ cov @ model.emission.T + model.r
    gain = jnp.linalg.solve(s, model.emission @ cov).T
    mean = mean + gain @ residual
    cov = cov - gain @ model.emission @ cov
    return mean, cov, log_normal(residual, s)


def log_normal(residual, cov):
    sign, logdet = jnp.linalg.slogdet(2 * jnp.pi * cov)
    return -0.5 * (residual @ jnp.linalg.solve(cov, residual) + logdet)


def filter_(model, ys):
    def step(carry, y):
        mean, cov = predict(model, *carry)
        mean, cov, log_likelihood = update(model, mean, cov, y)
        return (mean, cov), (mean, cov, log_likelihood)

    init = jnp.zeros(4), jnp.eye(4)
    _, (means, covs, log_likelihoods) = jax.lax.scan(step, init, ys)
    return means, covs, log_likelihoods.sum()


def smooth(model, means, covs):
    def step(carry, filtered):
        next_mean, next_cov = carry
        mean, cov = filtered
        predicted_mean, predicted_cov = predict(model, mean, cov)
        gain = jnp.linalg.solve(predicted_cov, model.transition @ cov).T
        mean = mean + gain @ (next_mean - predicted_mean)
        cov = cov + gain @ (next_cov - predicted_cov) @ gain.T
        return (mean, cov), mean

    last = means[-1], covs[-1]
    _, smoothed = jax.lax.scan(step, last, (means[:-1], covs[:-1]), reverse=True)
    return jnp.concatenate([smoothed, means[-1:]])


def simulate(key, model, steps):
    k1, k2 = jax.random.split(key)
    process = jax.random.multivariate_normal(k1, jnp.zeros(4), model.q, (steps,))
    noise = jax.random.multivariate_normal(k2, jnp.zeros(2), model.r, (steps,))
    states = jnp.cumsum(process, axis=0)
    return states, states @ model.emission.T + noise


def rmse(a, b):
    return jnp.sqrt(jnp.mean((a - b) ** 2))


def main(steps=50):
    model = constant_velocity(0.1, 0.5)
    states, ys = simulate(jax.random.key(1), model, steps)
    means, covs, log_likelihood = jax.jit(filter_)(model, ys)
    smoothed = smooth(model, means, covs)
    print(log_likelihood, rmse(means, states), rmse(smoothed, states))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
