"""Normalizations side by side: layer, RMS, batch with running statistics, group."""

from typing import Literal as L
from typing import NamedTuple, TypeVar

import jax
import jax.numpy as jnp

from jaxtyping_core.typing import Array, Float32

B = TypeVar("B", bound=int)
D = TypeVar("D", bound=int)
H = TypeVar("H", bound=int)
W = TypeVar("W", bound=int)


class Running(NamedTuple):
    mean: Array
    variance: Array


def layer_norm(x: Float32[B, D], scale: Float32[D], offset: Float32[D]) -> Float32[B, D]:
    mean = jnp.mean(x, axis=-1, keepdims=True)
    centered = x - mean
    variance = jnp.mean(centered**2, axis=-1, keepdims=True)
    return centered / jnp.sqrt(variance + 1e-6) * scale + offset


def rms_norm(x: Float32[B, D], scale: Float32[D]) -> Float32[B, D]:
    square = jnp.mean(jnp.square(x), axis=1)
    return x * jax.lax.rsqrt(square + 1e-6)[:, None] * scale


def batch_norm(
    x: Float32[B, D], running: Running, momentum: float = 0.9
) -> tuple[Float32[B, D], Running]:
    mean, variance = x.mean(axis=0), x.var(axis=0)
    updated = Running(
        momentum * running.mean + (1 - momentum) * mean,
        momentum * running.variance + (1 - momentum) * variance,
    )
    return (x - mean) / jnp.sqrt(variance + 1e-6), updated


def group_norm(x: Float32[B, H, W, L[8]]) -> Float32[B, H, W, L[8]]:
    batch, height, width, channels = x.shape
    grouped = x.reshape(batch, height, width, 4, 2)
    mean = grouped.mean(axis=(1, 2, 4), keepdims=True)
    variance = grouped.var(axis=(1, 2, 4), keepdims=True)
    normed = (grouped - mean) / jnp.sqrt(variance + 1e-6)
    return normed.reshape(batch, height, width, channels)


def weight_standardized(w: Float32[D, H]) -> Float32[D, H]:
    mean = w.mean(axis=0)
    std = w.std(axis=0)
    return (w - mean) / (std + 1e-6)


x = jax.random.normal(jax.random.key(0), (10, 8)) * 3 + 1
scale, offset = jnp.ones(8), jnp.zeros(8)
by_layer = layer_norm(x, scale, offset)
by_rms = rms_norm(x, scale)
running = Running(jnp.zeros(8), jnp.ones(8))
for _ in range(3):
    by_batch, running = batch_norm(x, running)
images = jax.random.uniform(jax.random.key(1), (2, 4, 4, 8))
by_group = group_norm(images)
kernel = weight_standardized(jax.random.normal(jax.random.key(2), (8, 3)))
projected = by_layer @ kernel
print(by_layer.mean(), by_rms.std(), running.mean[:2], by_group.var(), projected.shape)
