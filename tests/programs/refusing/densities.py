"""Models of NumPyro whose plates, masks and data do not fit the distributions."""

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import MCMC, NUTS, SVI, Predictive, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal

KEY = jax.random.key(0)


def sampled(model, *args):
    mcmc = MCMC(NUTS(model), num_warmup=1, num_samples=1, progress_bar=False)
    mcmc.run(KEY, *args)  # or
    return mcmc.get_samples()


def wrong_data():
    def model(y):
        centre = numpyro.sample("centre", dist.Normal(jnp.zeros(3), 1.0))
        numpyro.sample("y", dist.Normal(centre, 0.5), obs=y)  # error

    return sampled(model, jnp.ones(4))


def right_data():
    def model(y):
        centre = numpyro.sample("centre", dist.Normal(jnp.zeros(3), 1.0))
        numpyro.sample("y", dist.Normal(centre, 0.5), obs=y)

    return sampled(model, jnp.ones((4, 3)))


def wrong_plate():
    def model():
        rates = jnp.ones(5)
        with numpyro.plate("days", 7):
            numpyro.sample("count", dist.Exponential(rates))  # error

    return sampled(model)


def right_plate():
    def model():
        rates = jnp.ones(7)
        with numpyro.plate("days", 7):
            numpyro.sample("count", dist.Exponential(rates))

    return sampled(model)


def wrong_masked():
    def model(y, seen):
        level = numpyro.sample("level", dist.Normal())
        with numpyro.handlers.mask(mask=seen):
            numpyro.sample("y", dist.Normal(level * jnp.ones(6), 1.0), obs=y)  # error

    return sampled(model, jnp.ones(6), jnp.ones(5, bool))


def right_masked():
    def model(y, seen):
        level = numpyro.sample("level", dist.Normal())
        with numpyro.handlers.mask(mask=seen):
            numpyro.sample("y", dist.Normal(level * jnp.ones(6), 1.0), obs=y)

    return sampled(model, jnp.ones(6), jnp.ones(6, bool))


def wrong_mask_of_distribution():
    def model(y):
        level = numpyro.sample("level", dist.Normal())
        numpyro.sample("y", dist.Normal(level, 1.0).expand([6]).mask(jnp.ones(4, bool)), obs=y)  # error

    return sampled(model, jnp.ones(6))


def right_mask_of_distribution():
    def model(y):
        level = numpyro.sample("level", dist.Normal())
        numpyro.sample("y", dist.Normal(level, 1.0).expand([6]).mask(jnp.ones(6, bool)), obs=y)

    return sampled(model, jnp.ones(6))


def wrong_event():
    def model(y):
        shift = numpyro.sample("shift", dist.Normal())
        numpyro.sample("y", dist.MultivariateNormal(shift + jnp.zeros(3), jnp.eye(3)), obs=y)  # error

    return sampled(model, jnp.ones((8, 4)))


def right_event():
    def model(y):
        shift = numpyro.sample("shift", dist.Normal())
        numpyro.sample("y", dist.MultivariateNormal(shift + jnp.zeros(3), jnp.eye(3)), obs=y)

    return sampled(model, jnp.ones((8, 3)))


def wrong_sites():
    def model():
        with numpyro.plate("shops", 4):
            price = numpyro.sample("price", dist.LogNormal())
        with numpyro.plate("goods", 3):
            share = numpyro.sample("share", dist.Beta(2.0, 2.0))
        numpyro.deterministic("revenue", price * share)  # error

    return sampled(model)


def right_sites():
    def model():
        with numpyro.plate("shops", 4, dim=-2):
            price = numpyro.sample("price", dist.LogNormal())
        with numpyro.plate("goods", 3, dim=-1):
            share = numpyro.sample("share", dist.Beta(2.0, 2.0))
        numpyro.deterministic("revenue", price * share)

    return sampled(model)


def wrong_in_elbo():
    def model(y):
        centre = numpyro.sample("centre", dist.Normal(jnp.zeros(3), 1.0))
        numpyro.sample("y", dist.Normal(centre, 0.5), obs=y)  # or

    svi = SVI(model, AutoNormal(model), numpyro.optim.Adam(0.1), Trace_ELBO())
    state = svi.init(KEY, jnp.ones(4))  # error
    return svi.update(state, jnp.ones(4))


def right_in_elbo():
    def model(y):
        centre = numpyro.sample("centre", dist.Normal(jnp.zeros(3), 1.0))
        numpyro.sample("y", dist.Normal(centre, 0.5), obs=y)

    svi = SVI(model, AutoNormal(model), numpyro.optim.Adam(0.1), Trace_ELBO())
    state = svi.init(KEY, jnp.ones((4, 3)))
    return svi.update(state, jnp.ones((4, 3)))


def wrong_density():
    return dist.Normal(jnp.zeros(3), 1.0).log_prob(jnp.ones(4))  # error


def right_density():
    return dist.Normal(jnp.zeros(3), 1.0).log_prob(jnp.ones((4, 1)))


def wrong_parameters():
    return dist.Normal(jnp.zeros(3), jnp.ones(2))  # error


def right_parameters():
    return dist.Normal(jnp.zeros((3, 1)), jnp.ones(2))


def wrong_prediction():
    def model(x):
        w = numpyro.sample("w", dist.Normal(jnp.zeros(2), 1.0))
        numpyro.sample("y", dist.Normal(x @ w, 1.0))  # error

    return Predictive(model, {"w": jnp.ones((10, 3))})(KEY, jnp.ones((5, 2)))  # or


def right_prediction():
    def model(x):
        w = numpyro.sample("w", dist.Normal(jnp.zeros(2), 1.0))
        numpyro.sample("y", dist.Normal(x @ w, 1.0))

    return Predictive(model, {"w": jnp.ones((10, 2))})(KEY, jnp.ones((5, 2)))
