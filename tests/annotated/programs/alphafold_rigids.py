"""Rigid frames of residues: composition, inverse, and application to points."""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


class Rigid(NamedTuple):
    rot: Float[Array, "*batch 3 3"]
    trans: Float[Array, "*batch 3"]


def normalize(v: Float[Array, "*batch xyz=3"], eps: float = 1e-8) -> Float[Array, "*batch xyz=3"]:
    return v / jnp.sqrt(jnp.sum(v**2, axis=-1, keepdims=True) + eps)


def gram_schmidt(v0: Float[Array, "*batch 3"], v1: Float[Array, "*batch 3"]) -> Float[Array, "*batch 3 3"]:
    e0 = normalize(v0)
    e1 = normalize(v1 - e0 * jnp.sum(e0 * v1, axis=-1, keepdims=True))
    e2 = jnp.cross(e0, e1)
    return jnp.stack([e0, e1, e2], axis=-1)


def from_backbone(
    n: Float[Array, "*batch 3"], ca: Float[Array, "*batch 3"], c: Float[Array, "*batch 3"]
) -> Rigid:
    return Rigid(gram_schmidt(c - ca, n - ca), ca)


def apply_points(
    rot: Float[Array, "*batch 3 3"], trans: Float[Array, "*batch 3"], points: Float[Array, "*batch p 3"]
) -> Float[Array, "*batch p 3"]:
    return jnp.einsum("...ij,...pj->...pi", rot, points) + trans[..., None, :]


def invert(rot: Float[Array, "*batch 3 3"], trans: Float[Array, "*batch 3"]) -> Rigid:
    inverse = jnp.swapaxes(rot, -1, -2)
    return Rigid(inverse, -jnp.einsum("...ij,...j->...i", inverse, trans))


atoms = jax.random.normal(jax.random.key(0), (7, 3, 3))
frames = from_backbone(atoms[:, 0], atoms[:, 1], atoms[:, 2])
points = jax.random.normal(jax.random.key(1), (7, 5, 3))
moved = apply_points(frames.rot, frames.trans, points)
back = apply_points(*invert(frames.rot, frames.trans), moved)
print(jnp.abs(back - points).max())
