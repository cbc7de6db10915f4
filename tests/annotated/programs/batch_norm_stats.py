"""Batch normalization with running statistics, over any leading axes."""

from typing import Optional

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

Stats = tuple[Float[Array, "c"], Float[Array, "c"]]


def moments(x: Float[Array, "*batch c"]) -> Stats:
    axes = tuple(range(x.ndim - 1))
    return x.mean(axis=axes), x.var(axis=axes)


def batch_norm(
    x: Float[Array, "*batch c"],
    scale: Float[Array, "c"],
    shift: Float[Array, "c"],
    running: Optional[Stats] = None,  # noqa: UP045
    *,
    momentum: float = 0.9,
    eps: float = 1e-5,
) -> tuple[Float[Array, "*batch c"], Stats]:
    mean, var = moments(x)
    normed = (x - mean) * jax.lax.rsqrt(var + eps) * scale + shift
    if running is None:
        return normed, (mean, var)
    old_mean, old_var = running
    new_mean = momentum * old_mean + (1 - momentum) * mean
    new_var = momentum * old_var + (1 - momentum) * var
    return normed, (new_mean, new_var)


def residual_stage(
    x: Float[Array, "b h w c"],
    kernel: Float[Array, "3 3 c c"],
    stats: Optional[Stats],  # noqa: UP045
) -> tuple[Float[Array, "b h w c"], Stats]:
    c = x.shape[-1]
    y = jax.lax.conv_general_dilated(x, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
    y, stats = batch_norm(y, jnp.ones(c), jnp.zeros(c), stats)
    return x + jax.nn.relu(y), stats


x = jax.random.normal(jax.random.key(0), (2, 5, 6, 4))
kernel = 0.1 * jax.random.normal(jax.random.key(1), (3, 3, 4, 4))
stats = None
for _ in range(2):
    x, stats = residual_stage(x, kernel, stats)
flat, _ = batch_norm(x.reshape(60, 4), jnp.ones(4), jnp.zeros(4))
print(flat.std(axis=0), stats[0])
