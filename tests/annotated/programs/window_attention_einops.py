"""Attention within shifted windows of a feature map, partitioned by einops."""

from functools import partial

import jax
import jax.numpy as jnp
from einops import rearrange
from jaxtyping import Array, Float


def partition(x: Float[Array, "b h w c"], size: int) -> Float[Array, "windows {size}*{size} c"]:
    return rearrange(x, "b (h s1) (w s2) c -> (b h w) (s1 s2) c", s1=size, s2=size)


def merge(
    windows: Float[Array, "windows tokens c"], size: int, h: int, w: int
) -> Float[Array, "b {h} {w} c"]:
    return rearrange(
        windows, "(b h w) (s1 s2) c -> b (h s1) (w s2) c", h=h // size, w=w // size, s1=size, s2=size
    )


def relative_bias(table: Float[Array, "span span"], size: int) -> Float[Array, "{size}*{size} {size}*{size}"]:
    rows, cols = jnp.meshgrid(jnp.arange(size), jnp.arange(size), indexing="ij")
    points = jnp.stack([rows.reshape(-1), cols.reshape(-1)], axis=-1)
    offset = points[:, None] - points[None, :] + size - 1
    return table[offset[..., 0], offset[..., 1]]


def attend(
    windows: Float[Array, "windows tokens c"], bias: Float[Array, "tokens tokens"]
) -> Float[Array, "windows tokens c"]:
    scores = jnp.einsum("nqc,nkc->nqk", windows, windows) * windows.shape[-1] ** -0.5
    return jax.nn.softmax(scores + bias, axis=-1) @ windows


@partial(jax.jit, static_argnames=("size", "shift"))
def block(
    x: Float[Array, "b h w c"], table: Float[Array, "span span"], *, size: int, shift: int = 0
) -> Float[Array, "b h w c"]:
    _, h, w, _ = x.shape
    shifted = jnp.roll(x, (-shift, -shift), axis=(1, 2))
    attended = attend(partition(shifted, size), relative_bias(table, size))
    return x + jnp.roll(merge(attended, size, h, w), (shift, shift), axis=(1, 2))


x = jax.random.normal(jax.random.key(0), (2, 4, 6, 5))
table = 0.1 * jax.random.normal(jax.random.key(1), (3, 3))
for shift in (0, 1):
    x = block(x, table, size=2, shift=shift)
print(x.mean(axis=(1, 2)))
