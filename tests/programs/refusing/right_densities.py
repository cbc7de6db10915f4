"""Models of NumPyro that run: plates, masks, scales and data that broadcast."""

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.contrib.control_flow import scan
from numpyro.infer import MCMC, NUTS, SVI, Predictive, Trace_ELBO, log_likelihood
from numpyro.infer.autoguide import AutoNormal
from numpyro.infer.reparam import LocScaleReparam

KEY = jax.random.key(0)


def fit(model, *args, **kwargs):
    m = MCMC(NUTS(model), num_warmup=1, num_samples=2, progress_bar=False)
    m.run(KEY, *args, **kwargs)
    return m.get_samples()


def right_hier():
    def model(g, y=None):
        mu = numpyro.sample("mu", dist.Normal(0, 1))
        tau = numpyro.sample("tau", dist.HalfCauchy(1))
        with numpyro.plate("groups", 3):
            a = numpyro.sample("a", dist.Normal(mu, tau))
        with numpyro.plate("obs", g.shape[0]):
            numpyro.sample("y", dist.Normal(a[g], 1.0), obs=y)

    g = jnp.array([0, 1, 2, 1])
    s = fit(model, g, jnp.ones(4))
    return Predictive(model, s)(KEY, g), log_likelihood(model, s, g, jnp.ones(4))


def right_subsample():
    def model(x, y):
        w = numpyro.sample("w", dist.Normal(jnp.zeros(2), 1).to_event(1))
        with numpyro.plate("N", 10, subsample_size=4):
            bx = numpyro.subsample(x, event_dim=1)
            by = numpyro.subsample(y, event_dim=0)
            numpyro.sample("y", dist.Normal(bx @ w, 1), obs=by)

    svi = SVI(model, AutoNormal(model), numpyro.optim.Adam(0.1), Trace_ELBO())
    st = svi.init(KEY, jnp.ones((10, 2)), jnp.ones(10))
    return svi.update(st, jnp.ones((10, 2)), jnp.ones(10))


def right_mask():
    def model(y):
        s = numpyro.sample("s", dist.LogNormal(0, 1))
        with numpyro.plate("t", 5, dim=-2), numpyro.plate("k", 3, dim=-1):
            numpyro.sample("y", dist.Normal(0, s).mask(~jnp.isnan(y)), obs=jnp.nan_to_num(y))

    return fit(model, jnp.ones((5, 3)))


def right_counts():
    def model(n, k):
        with numpyro.plate("i", 4):
            p = numpyro.sample("p", dist.Beta(1, 1))
            numpyro.sample("k", dist.Binomial(n, probs=p), obs=k)
        numpyro.sample("c", dist.Categorical(logits=jnp.zeros(3)), obs=jnp.int32(1))
        numpyro.sample("d", dist.Dirichlet(jnp.ones(3)))
        numpyro.factor("f", -p.sum())

    return fit(model, jnp.array([5, 5, 5, 5]), jnp.array([1, 2, 3, 4]))


def right_mixture():
    def model(y):
        w = numpyro.sample("w", dist.Dirichlet(jnp.ones(2)))
        m = numpyro.sample("m", dist.Normal(0, 5).expand([2]).to_event(1))
        with numpyro.plate("N", y.shape[0]):
            numpyro.sample("y", dist.MixtureSameFamily(dist.Categorical(w), dist.Normal(m, 1.0)), obs=y)

    return fit(model, jnp.ones(7))


def right_lkj():
    def model(y):
        corner = numpyro.sample("L", dist.LKJCholesky(3, 1.0))
        s = numpyro.sample("s", dist.HalfNormal(1).expand([3]))
        numpyro.sample("y", dist.MultivariateNormal(jnp.zeros(3), scale_tril=s[:, None] * corner), obs=y)

    return fit(model, jnp.ones((6, 3)))


def right_scan():
    def model(y):
        r = numpyro.sample("r", dist.Normal(0, 1))

        def step(c, yt):
            z = numpyro.sample("z", dist.Normal(c * r, 1))
            numpyro.sample("y", dist.Normal(z, 1), obs=yt)
            return z, z

        scan(step, jnp.float32(0), y)

    return fit(model, jnp.ones(5))


def right_reparam():
    def model(y):
        mu = numpyro.sample("mu", dist.Normal(0, 1))
        with numpyro.handlers.reparam(config={"a": LocScaleReparam(0)}), numpyro.plate("J", 4):
            a = numpyro.sample("a", dist.Normal(mu, 2.0))
            numpyro.sample("y", dist.StudentT(3, a, 1.0), obs=y)

    return fit(model, jnp.ones(4))


def right_scalars():
    def model(y, n=3):
        m = numpyro.sample("m", dist.Normal())
        numpyro.sample("y", dist.Normal(m, 1), obs=y)
        numpyro.sample("z", dist.Poisson(jnp.exp(m)), obs=2)
        numpyro.sample("b", dist.Bernoulli(logits=m * jnp.ones(n)), obs=jnp.array([1, 0, 1]))
        numpyro.sample("t", dist.TruncatedNormal(m, 1, low=0), obs=1.0)
        numpyro.sample("g", dist.GaussianRandomWalk(1.0, num_steps=4), obs=jnp.ones(4))
        numpyro.sample(
            "u",
            dist.TransformedDistribution(dist.Normal(m, 1), dist.transforms.ExpTransform()),
            obs=jnp.ones(2),
        )

    return fit(model, 0.5)


def right_broadcast_obs():
    def model(y):
        m = numpyro.sample("m", dist.Normal(jnp.zeros((3, 1)), 1))
        numpyro.sample("y", dist.Normal(m, 1), obs=y)
        with numpyro.handlers.scale(scale=0.5):
            numpyro.sample("y2", dist.Normal(m[:, 0], 1), obs=y[0, :3])

    return fit(model, jnp.ones((3, 5)))


def right_masked_handler():
    def model(y):
        m = numpyro.sample("m", dist.Normal())
        with numpyro.handlers.mask(mask=jnp.array([True, False, True])):
            numpyro.sample("y", dist.Normal(m, 1), obs=y)

    return fit(model, jnp.ones(3))


def right_improper():
    def model(y):
        a = numpyro.sample("a", dist.ImproperUniform(dist.constraints.real, (), ()))
        numpyro.param("p", jnp.ones(2))
        numpyro.sample("y", dist.Normal(a, 1).expand([2, 2]).to_event(1), obs=y)

    return fit(model, jnp.ones((2, 2)))
