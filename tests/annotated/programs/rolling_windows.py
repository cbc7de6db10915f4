"""Rolling statistics and autocorrelations of many series at once."""

from typing import Literal, overload

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


def windows(x: Float[Array, "n"], w: int) -> Float[Array, "n-{w}+1 {w}"]:
    index = jnp.arange(x.shape[0] - w + 1)[:, None] + jnp.arange(w)
    return x[index]


@overload
def rolling(x: Float[Array, "n"], w: int, spread: Literal[False] = ...) -> Float[Array, "n-{w}+1"]: ...


@overload
def rolling(
    x: Float[Array, "n"], w: int, spread: Literal[True]
) -> tuple[Float[Array, "n-{w}+1"], Float[Array, "n-{w}+1"]]: ...


def rolling(
    x: Float[Array, "n"], w: int, spread: bool = False
) -> Float[Array, "n-{w}+1"] | tuple[Float[Array, "n-{w}+1"], Float[Array, "n-{w}+1"]]:
    frames = windows(x, w)
    if spread:
        return frames.mean(axis=1), frames.std(axis=1)
    return frames.mean(axis=1)


def z_scores(x: Float[Array, "n"], w: int) -> Float[Array, "n-{w}+1"]:
    mean, std = rolling(x, w, True)
    return (x[w - 1 :] - mean) / (std + 1e-6)


def autocorrelation(x: Float[Array, "n"], lags: int) -> Float[Array, "{lags}"]:
    centered = x - x.mean()
    full = jnp.correlate(centered, centered, mode="full")
    positive: Float[Array, " n"] = full[x.shape[0] - 1 :]
    return positive[:lags] / positive[0]


def exponential(x: Float[Array, "n"], *, alpha: float = 0.3) -> Float[Array, "n"]:
    def step(level: Float[Array, ""], value: Float[Array, ""]) -> tuple[Float[Array, ""], Float[Array, ""]]:
        level = alpha * value + (1 - alpha) * level
        return level, level

    return jax.lax.scan(step, x[0], x)[1]


series = jnp.cumsum(jax.random.normal(jax.random.key(0), (3, 14)), axis=1)
smooth = jax.vmap(lambda s: rolling(s, 4))(series)
scores = jax.vmap(lambda s: z_scores(s, 4))(series)
print(smooth.shape, scores.max(axis=1), autocorrelation(series[0], 5), exponential(series[1])[-1])
