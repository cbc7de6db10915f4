"""Fourier features of coordinates at doubling frequencies, and a small field on top."""

from __future__ import annotations

import equinox as eqx
import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray


def fourier_features(x: Float[Array, "n d"], bands: int) -> Float[Array, "n d+2*d*{bands}"]:
    n, d = x.shape
    frequencies = 2.0 ** jnp.arange(bands)
    angles: Float[Array, "n d {bands}"] = jnp.pi * x[:, :, None] * frequencies
    flat = angles.reshape(n, d * bands)
    return jnp.concatenate([x, jnp.sin(flat), jnp.cos(flat)], axis=-1)


class Field(eqx.Module):
    trunk: eqx.nn.MLP
    density: eqx.nn.Linear
    color: eqx.nn.Linear
    bands: int = eqx.field(static=True)

    def __init__(self, d: int, bands: int, width: int, *, key: PRNGKeyArray):
        trunk_key, density_key, color_key = jax.random.split(key, 3)
        self.trunk = eqx.nn.MLP(d + 2 * d * bands, width, width, depth=1, key=trunk_key)
        self.density = eqx.nn.Linear(width, "scalar", key=density_key)
        self.color = eqx.nn.Linear(width, 3, key=color_key)
        self.bands = bands

    def __call__(self, points: Float[Array, "n d"]) -> tuple[Float[Array, " n"], Float[Array, "n 3"]]:
        hidden = jax.vmap(self.trunk)(fourier_features(points, self.bands))
        density = jax.nn.softplus(jax.vmap(self.density)(hidden))
        return density, jax.nn.sigmoid(jax.vmap(self.color)(hidden))


@eqx.filter_jit
def render(field: Field, points: Float[Array, "n d"]) -> Float[Array, " 3"]:
    density, color = field(points)
    weights = density / density.sum()
    return weights @ color


points = jax.random.uniform(jax.random.PRNGKey(0), (6, 2))
field = Field(2, bands=4, width=8, key=jax.random.PRNGKey(1))
print(render(field, points))
