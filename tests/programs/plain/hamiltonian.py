"""Hamiltonian Monte Carlo for logistic regression: a namedtuple in, closures, vmapped chains, an R-hat."""

import functools
from collections import namedtuple

import jax
import jax.numpy as jnp
import numpy as np

Info = namedtuple("Info", ["accepted", "energy"])
PRIORS = {"weights": 1.0, "bias": 5.0}


def ravel(tree):
    """Like ravel_pytree, by hand."""
    leaves, structure = jax.tree.flatten(tree)
    shapes = [jnp.shape(leaf) for leaf in leaves]
    cuts = np.cumsum([int(np.prod(s)) for s in shapes])[:-1]

    def unravel(flat):
        parts = jnp.split(flat, cuts)
        return jax.tree.unflatten(structure, [p.reshape(s) for p, s in zip(parts, shapes)])

    return jnp.concatenate([jnp.ravel(leaf) for leaf in leaves]), unravel


def log_joint(data, params):
    x, y = data
    prior = sum(-0.5 * jnp.sum((v / PRIORS[k]) ** 2) for k, v in params.items())
    logits = x @ params["weights"] + params["bias"]
    return prior + jnp.sum(y * logits - jax.nn.softplus(logits))


def hmc_kernel(log_density, step_size=0.05, n_leapfrog=8):
    grad = jax.grad(log_density)

    def leapfrog(_, state):
        q, p = state
        p = p + 0.5 * step_size * grad(q)
        q = q + step_size * p
        p = p + 0.5 * step_size * grad(q)
        return q, p

    def kernel(q, key):
        k_momentum, k_accept = jax.random.split(key)
        p = jax.random.normal(k_momentum, q.shape, q.dtype)
        energy = 0.5 * p @ p - log_density(q)
        q_new, p_new = jax.lax.fori_loop(0, n_leapfrog, leapfrog, (q, p))
        energy_new = 0.5 * p_new @ p_new - log_density(q_new)
        accept = jnp.log(jax.random.uniform(k_accept)) < energy - energy_new
        return jnp.where(accept, q_new, q), Info(accept, jnp.where(accept, energy_new, energy))

    return kernel


@functools.partial(jax.jit, static_argnames=["kernel", "n"])
def run_chain(key, start, kernel, n=50):
    def body(q, key):
        q, info = kernel(q, key)
        return q, (q, info)

    _, (samples, infos) = jax.lax.scan(body, start, jax.random.split(key, n))
    return samples, infos


def r_hat(chains):
    m, n, *_ = chains.shape
    within = chains.var(axis=1, ddof=1).mean(axis=0)
    between = n * chains.mean(axis=1).var(axis=0, ddof=1)
    return jnp.sqrt(((n - 1) / n * within + between / n) / within)


def autocorrelation(x, lags):
    x = x - x.mean()
    full = jnp.array([jnp.sum(x[lag:] * x[: len(x) - lag]) for lag in range(lags)])
    return full / full[0]


rng = np.random.default_rng(8)
features = rng.normal(size=(40, 3)).astype(np.float32)
outcomes = (features @ [1.0, -1.0, 0.5] + 0.3 > rng.logistic(size=40)).astype(int)
initial = {"weights": jnp.zeros(3), "bias": jnp.zeros(())}
flat, unravel = ravel(initial)
data = (features, outcomes)


def flat_density(q):
    return log_joint(data, unravel(q))


kernel = hmc_kernel(flat_density)
keys = jax.random.split(jax.random.PRNGKey(0), 3)
starts = flat + 0.1 * jax.random.normal(keys[0], (3, *flat.shape))
samples, info = jax.vmap(lambda k, s: run_chain(k, s, kernel))(keys, starts)
burned = samples[:, 10:]
diagnostics = r_hat(burned)
rate = info.accepted.mean()
posterior = jax.vmap(jax.vmap(unravel))(burned)
means = {k: v.mean((0, 1)) for k, v in posterior.items()}
low, high = jnp.percentile(posterior["bias"], jnp.array([5, 95]))
correlation = autocorrelation(samples[0, :, 0], lags=5)
curvature = -jax.hessian(flat_density)(burned[-1, -1])
laplace = jnp.linalg.inv(curvature)
chance = jax.nn.sigmoid(features[:2] @ posterior["weights"].reshape(-1, 3).T)
certain = chance.mean(1)
print(diagnostics, rate, means, low, high, correlation, laplace.shape, certain, info.energy.shape)
