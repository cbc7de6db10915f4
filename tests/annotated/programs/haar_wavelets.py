"""A Haar wavelet decomposition to all levels, and the signal from its coefficients."""

from __future__ import annotations

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


def analyze(x: Float[Array, " n"]) -> tuple[Float[Array, " n//2"], Float[Array, " n//2"]]:
    even, odd = x[::2], x[1::2]
    return (even + odd) / jnp.sqrt(2.0), (even - odd) / jnp.sqrt(2.0)


def synthesize(average: Float[Array, " half"], detail: Float[Array, " half"]) -> Float[Array, " 2*half"]:
    even = (average + detail) / jnp.sqrt(2.0)
    odd = (average - detail) / jnp.sqrt(2.0)
    return jnp.stack([even, odd], axis=1).reshape(-1)


def decompose(x: Float[Array, " n"]) -> list[Float[Array, " _"]]:
    if x.shape[0] == 1:
        return [x]
    average, detail = analyze(x)
    return [*decompose(average), detail]


def reconstruct(coefficients: list[Float[Array, " _"]]) -> Float[Array, " n"]:
    x = coefficients[0]
    for detail in coefficients[1:]:
        x = synthesize(x, detail)
    return x


def shrink(coefficients: list[Float[Array, " _"]], threshold: float) -> list[Float[Array, " _"]]:
    first, *details = coefficients
    return [first, *(jnp.sign(d) * jnp.maximum(jnp.abs(d) - threshold, 0.0) for d in details)]


def denoise(x: Float[Array, " n"], threshold: float = 0.2) -> Float[Array, " n"]:
    return reconstruct(shrink(decompose(x), threshold))


t = jnp.linspace(0.0, 1.0, 16)
noisy = jnp.sin(6 * t) + 0.1 * jax.random.normal(jax.random.key(0), (16,))
print(jnp.abs(reconstruct(decompose(noisy)) - noisy).max(), denoise(noisy))
