"""A hierarchical regression in numpyro, its prior predictive and its log joint density."""

from typing import Optional

import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from jaxtyping import Array, Float, Int, PRNGKeyArray
from numpyro import handlers
from numpyro.infer.util import log_density


def linear_predictor(
    x: Float[Array, "n d"],
    slopes: Float[Array, "groups d"],
    offsets: Float[Array, "groups"],
    group: Int[Array, "n"],
) -> Float[Array, "n"]:
    return jnp.sum(x * slopes[group], axis=-1) + offsets[group]


def model(
    x: Float[Array, "n d"],
    group: Int[Array, "n"],
    groups: int,
    y: Optional[Float[Array, "n"]] = None,  # noqa: UP045
) -> None:
    d = x.shape[1]
    scale = numpyro.sample("scale", dist.HalfNormal(1.0))
    with numpyro.plate("groups", groups):
        offsets = numpyro.sample("offsets", dist.Normal(0.0, scale))
        slopes = numpyro.sample("slopes", dist.Normal(0.0, 1.0).expand([d]).to_event(1))
    mean = linear_predictor(x, slopes, offsets, group)
    numpyro.sample("y", dist.Normal(mean, 0.5), obs=y)


def prior_predictive(
    key: PRNGKeyArray, x: Float[Array, "n d"], group: Int[Array, "n"], groups: int
) -> Float[Array, "n"]:
    trace = handlers.trace(handlers.seed(model, key)).get_trace(x, group, groups)
    return trace["y"]["value"]


def log_joint(
    params: dict[str, Float[Array, "..."]],
    x: Float[Array, "n d"],
    group: Int[Array, "n"],
    y: Float[Array, "n"],
) -> Float[Array, ""]:
    return log_density(model, (x, group, params["offsets"].shape[0]), {"y": y}, params)[0]


x = jax.random.normal(jax.random.PRNGKey(0), (9, 3))
group = jnp.arange(9) % 4
y = prior_predictive(jax.random.PRNGKey(1), x, group, 4)
params = {"scale": jnp.array(0.7), "offsets": jnp.zeros(4), "slopes": jnp.ones((4, 3))}
print(y.mean(), jax.jit(log_joint)(params, x, group, y))
