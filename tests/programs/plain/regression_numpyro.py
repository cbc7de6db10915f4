"""Bayesian regressions with NumPyro: sampled, approximated, predicted, with groups, handlers and a time series."""

import argparse

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro import handlers
from numpyro.contrib.control_flow import scan
from numpyro.infer import (
    MCMC,
    NUTS,
    SVI,
    Predictive,
    Trace_ELBO,
    init_to_median,
    log_likelihood,
)
from numpyro.infer.autoguide import AutoNormal
from numpyro.infer.reparam import LocScaleReparam

numpyro.set_platform("cpu")
numpyro.set_host_device_count(1)


def regression(x, y=None):
    weights = numpyro.sample("weights", dist.Normal(0, 1).expand([x.shape[1]]).to_event(1))
    noise = numpyro.sample("noise", dist.HalfCauchy(2))
    mean = numpyro.deterministic("mean", x @ weights)
    with numpyro.plate("rows", x.shape[0]):
        return numpyro.sample("y", dist.Normal(mean, noise), obs=y)


def groups(members, count, y=None):
    rate = numpyro.sample("rate", dist.Gamma(2.0, 1.0))
    with numpyro.plate("groups", count):
        offset = numpyro.sample("offset", dist.Normal(0.0, rate))
    chance = jax.nn.sigmoid(offset[members])
    with numpyro.plate("members", members.shape[0]):
        numpyro.sample("y", dist.Bernoulli(probs=chance), obs=y)


def walk(y):
    drift = numpyro.sample("drift", dist.Normal(0, 1))
    scale = numpyro.sample("scale", dist.LogNormal(0.0, 1.0))

    def step(level, seen):
        level = numpyro.sample("level", dist.Normal(level + drift, scale))
        numpyro.sample("seen", dist.Normal(level, 0.1), obs=seen)
        return level, level * 2

    last, doubled = scan(step, jnp.zeros(()), y)
    numpyro.deterministic("total", doubled.sum() + last)


def sampled(kernel, key, *data):
    mcmc = MCMC(kernel, num_warmup=6, num_samples=8, thinning=2, progress_bar=False)
    mcmc.run(key, *data)
    diverging = mcmc.get_extra_fields()["diverging"]
    return mcmc.get_samples(), diverging


def main(options):
    key, *keys = jax.random.split(jax.random.key(0), 7)
    x = np.random.default_rng(0).normal(size=(20, 3)).astype(np.float32)
    y = jnp.asarray(x @ np.array([1.0, -2.0, 0.5], np.float32))
    posterior, diverging = sampled(
        NUTS(regression, init_strategy=init_to_median, max_tree_depth=1), keys[0], x, y
    )
    slope, means = posterior["weights"].mean(axis=0), posterior["mean"]
    fitted = Predictive(regression, posterior)(keys[1], x[:5])
    guess, spread = fitted["y"], jnp.std(fitted["y"], axis=0)
    density = log_likelihood(regression, posterior, x, y)["y"]
    prior = Predictive(regression, num_samples=7)(keys[2], x)["weights"]

    members = jnp.arange(12) % 4
    apart = handlers.reparam(groups, config={"offset": LocScaleReparam(0)})
    centred = Predictive(apart, num_samples=6, return_sites=["offset_decentered", "rate", "y"])(
        keys[3], members, 4
    )
    rates, raw, outcomes = centred["rate"], centred["offset_decentered"], centred["y"]
    levels = Predictive(walk, num_samples=4)(keys[4], y[: options.rows])
    path, totals = levels["level"], levels["total"]

    guide = AutoNormal(regression)
    svi = SVI(regression, guide, numpyro.optim.Adam(0.05), Trace_ELBO())
    result = svi.run(keys[5], 5, x, y, progress_bar=False)
    losses, middle = result.losses, result.params["weights_auto_loc"]
    trace = handlers.trace(handlers.seed(regression, key)).get_trace(x)
    drawn = trace["y"]["value"]
    arrays = (
        slope,
        means,
        guess,
        spread,
        density,
        prior,
        rates,
        raw,
        outcomes,
        path,
        totals,
        losses,
        middle,
        drawn,
    )
    print([array.shape for array in arrays], diverging.sum())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", nargs="?", default=6, type=int)
    main(parser.parse_args())
