"""Rigid alignment of point sets and distances between sets of equal or other sizes."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float


def kabsch(
    moving: Float[Array, "n 3"], fixed: Float[Array, "n 3"]
) -> tuple[Float[Array, "3 3"], Float[Array, "3"]]:
    moving_center, fixed_center = moving.mean(axis=0), fixed.mean(axis=0)
    u, _, vt = jnp.linalg.svd((moving - moving_center).T @ (fixed - fixed_center))
    sign = jnp.sign(jnp.linalg.det(u @ vt))
    rotation = (u * jnp.array([1.0, 1.0, sign])) @ vt
    return rotation, fixed_center - moving_center @ rotation


def superpose(moving: Float[Array, "b n 3"], fixed: Float[Array, "n 3"]) -> Float[Array, "b n 3"]:
    b, n, _ = moving.shape
    rotation, shift = jax.vmap(kabsch, in_axes=(0, None))(moving, fixed)
    assert rotation.shape == (b, 3, 3)
    assert shift.shape == (b, 3)
    aligned = moving @ rotation + shift[:, None, :]
    assert aligned.shape == (b, n, 3)
    return aligned


def rmsd(a: Float[Array, "n 3"], b: Float[Array, "n 3"]) -> Float[Array, ""]:
    return jnp.sqrt(jnp.mean(jnp.sum((a - b) ** 2, axis=-1)))


def distance(a: Float[Array, "n 3"], b: Float[Array, "m 3"]) -> Float[Array, ""]:
    n, m = a.shape[0], b.shape[0]
    if n == m:
        return rmsd(a, b)
    sq = jnp.sum((a[:, None] - b[None, :]) ** 2, axis=-1)
    return jnp.sqrt(jnp.maximum(sq.min(axis=0).max(), sq.min(axis=1).max()))


def contacts(points: Float[Array, "n 3"], cutoff: float = 1.0) -> Bool[Array, "n n"]:
    gaps = jnp.linalg.norm(points[:, None] - points[None, :], axis=-1)
    return (gaps < cutoff) & ~jnp.eye(points.shape[0], dtype=bool)


fixed = jax.random.normal(jax.random.key(0), (6, 3))
turn = jnp.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]])
moving = jnp.stack([fixed @ turn, fixed + 2.0])
aligned = superpose(moving, fixed)
print(distance(aligned[0], fixed), distance(fixed[:5], fixed), contacts(fixed).sum())
