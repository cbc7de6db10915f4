"""A particle filter and a Gibbs sampler: keys, vmap over particles, resampling by searchsorted."""

import jax
import jax.numpy as jnp
from jax import random
from jax.scipy import stats
from jax.scipy.special import logsumexp

PARTICLES = 100


def simulate(key, steps):
    def step(x, key):
        kx, ky = random.split(key)
        x = 0.9 * x + random.normal(kx) * 0.5
        y = x + random.normal(ky) * 0.3
        return x, (x, y)

    _, (xs, ys) = jax.lax.scan(step, 0.0, random.split(key, steps))
    return xs, ys


def systematic(key, log_weights):
    weights = jax.nn.softmax(log_weights)
    n = weights.shape[0]
    positions = (random.uniform(key) + jnp.arange(n)) / n
    return jnp.searchsorted(jnp.cumsum(weights), positions)


@jax.jit
def filter_(key, ys):
    def step(carry, y):
        particles, key = carry
        key, k_move, k_resample = random.split(key, 3)
        particles = 0.9 * particles + 0.5 * random.normal(k_move, particles.shape)
        log_w = stats.norm.logpdf(y, particles, 0.3)
        evidence = logsumexp(log_w) - jnp.log(PARTICLES)
        ancestors = systematic(k_resample, log_w)
        particles = particles[jnp.clip(ancestors, 0, PARTICLES - 1)]
        return (particles, key), (particles.mean(), particles.std(), evidence)

    start = (random.normal(key, (PARTICLES,)), key)
    (particles, _), (means, stds, evidence) = jax.lax.scan(step, start, ys)
    return means, stds, evidence.sum(), particles


def gibbs(key, y, n):
    mu, tau = y.mean(), 1 / y.var()
    samples = []
    for key in random.split(key, n):
        k1, k2 = random.split(key)
        mu = y.mean() + random.normal(k1) / jnp.sqrt(len(y) * tau)
        rate = 0.5 * ((y - mu) ** 2).sum()
        tau = random.gamma(k2, len(y) / 2) / rate
        samples.append((mu, tau))
    mus, taus = map(jnp.array, zip(*samples))
    return mus, taus


key = random.key(1234)
k1, k2, k3, k4, k5 = random.split(key, 5)
xs, ys = simulate(k1, 25)
means, stds, evidence, particles = filter_(k2, ys)
rmse = jnp.sqrt(jnp.mean((means - xs) ** 2))
many = jax.vmap(filter_, in_axes=(0, None))(random.split(k3, 4), ys)
spread = many[2].std()
mus, taus = gibbs(k4, ys, 10)
quantiles = jnp.quantile(particles, jnp.array([0.05, 0.5, 0.95]))
histogram, edges = jnp.histogram(particles, bins=8)
permuted = random.permutation(k5, ys)
picked = random.choice(k5, jnp.arange(25), (5,), replace=False)
dirichlet = random.dirichlet(k5, jnp.ones(3), shape=(2,))
coin = random.bernoulli(k5, 0.3, (4,))
signs = random.rademacher(k5, (6,))
truncated = random.truncated_normal(random.fold_in(k5, 3), -1.0, 1.0, (2, 2), dtype=jnp.bfloat16)
weights = random.ball(k5, 3)
print(rmse, evidence, spread, mus.mean(), taus.mean(), quantiles, histogram, signs, coin, picked)
