"""Bootstrap confidence intervals, one typed key for each resample."""

from collections.abc import Callable

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int, Key

Statistic = Callable[[Float[Array, "n d"]], Float[Array, "d"]]


def resample(key: Key[Array, ""], data: Float[Array, "n d"]) -> Float[Array, "n d"]:
    rows: Int[Array, " n"] = jax.random.randint(key, (data.shape[0],), 0, data.shape[0])
    return data[rows]


def bootstrap(
    keys: Key[Array, "replicas"], data: Float[Array, "n d"], statistic: Statistic
) -> Float[Array, "replicas d"]:
    return jax.vmap(lambda key: statistic(resample(key, data)))(keys)


def interval(
    replicas: Float[Array, "replicas d"], level: float = 0.9
) -> tuple[Float[Array, "d"], Float[Array, "d"]]:
    tail = (1 - level) / 2
    low, high = jnp.quantile(replicas, jnp.array([tail, 1 - tail]), axis=0)
    return low, high


def trimmed_mean(data: Float[Array, "n d"], *, cut: int = 1) -> Float[Array, "d"]:
    return jnp.sort(data, axis=0)[cut:-cut].mean(axis=0)


def median(data: Float[Array, "n d"]) -> Float[Array, "d"]:
    return jnp.median(data, axis=0)


data = jax.random.exponential(jax.random.key(0), (11, 3))
keys = jax.random.split(jax.random.key(1), 20)
for statistic in (trimmed_mean, median):
    low, high = interval(bootstrap(keys, data, statistic))
    print(statistic(data), high - low)
