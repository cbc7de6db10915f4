"""Variational inference with a guide of its own: parameters that begin as numbers, and are arrays after a step."""

import argparse

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.distributions import constraints
from numpyro.infer import SVI, Trace_ELBO
from numpyro.util import fori_loop


def model(x, y):
    w = numpyro.sample("w", dist.Normal(jnp.zeros(3), 1.0).to_event(1))
    mean = x @ w
    numpyro.sample("y", dist.Normal(mean, 1.0), obs=y)


def guide(x, y):
    loc = numpyro.param("loc", jnp.zeros(3))
    log_scale = numpyro.param("log_scale", 0.0)
    scale = jnp.exp(log_scale)
    count = numpyro.param("count", 1, constraint=constraints.positive)
    noise = count * jnp.ones(3)
    half = numpyro.param("half", jnp.ones(3, jnp.bfloat16))
    doubled = half * 2
    lazy = numpyro.param("lazy", lambda key: 0.1 * jax.random.normal(key, (3,)))
    shift = lazy * scale + doubled.sum() * 0
    numpyro.sample("w", dist.Normal(loc + shift, scale * noise).to_event(1))


def train(svi, key, x, y, steps):
    state = svi.init(key, x, y)
    state = fori_loop(0, steps, lambda i, state: svi.update(state, x, y)[0], state)
    return svi.get_params(state)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=4)
    args = parser.parse_args()
    key = jax.random.key(0)
    x = jax.random.normal(key, (5, 3))
    y = x @ jnp.array([1.0, -1.0, 0.5])
    svi = SVI(model, guide, numpyro.optim.Adam(0.1), Trace_ELBO(num_particles=10))
    params = train(svi, key, x, y, args.steps)
    print(f"largest weight {jnp.abs(params['loc']).max():.3f}")


if __name__ == "__main__":
    main()
