"""Unit quaternions: products, rotation matrices and rotations of vectors."""

import jax
import jax.numpy as jnp
import jaxtyping as jt

Quaternion = jt.Float[jt.Array, "*n wxyz=4"]
Vector = jt.Float[jt.Array, "*n xyz=3"]


def multiply(p: Quaternion, q: Quaternion) -> Quaternion:
    pw, pv = p[..., :1], p[..., 1:]
    qw, qv = q[..., :1], q[..., 1:]
    w = pw * qw - jnp.sum(pv * qv, axis=-1, keepdims=True)
    v = pw * qv + qw * pv + jnp.cross(pv, qv)
    return jnp.concatenate([w, v], axis=-1)


def conjugate(q: Quaternion) -> Quaternion:
    return q * jnp.array([1.0, -1.0, -1.0, -1.0])


def pure(v: Vector) -> Quaternion:
    return jnp.concatenate([jnp.zeros_like(v[..., :1]), v], axis=-1)


def rotate(q: Quaternion, v: Vector) -> Vector:
    return multiply(multiply(q, pure(v)), conjugate(q))[..., 1:]


def from_axis_angle(axis: Vector, angle: jt.Float[jt.Array, "*n"]) -> Quaternion:
    unit = axis / jnp.linalg.norm(axis, axis=-1, keepdims=True)
    half = 0.5 * angle[..., None]
    return jnp.concatenate([jnp.cos(half), jnp.sin(half) * unit], axis=-1)


def to_matrix(q: Quaternion) -> jt.Float[jt.Array, "*n 3 3"]:
    basis = jnp.eye(3)
    columns = [rotate(q, jnp.broadcast_to(e, (*q.shape[:-1], 3))) for e in basis]
    return jnp.stack(columns, axis=-1)


axis_key, angle_key = jax.random.split(jax.random.key(0))
axes = jax.random.normal(axis_key, (7, 3))
angles = jax.random.uniform(angle_key, (7,), maxval=jnp.pi)
q = from_axis_angle(axes, angles)
matrices = to_matrix(q)
print(jnp.abs(jnp.einsum("nij,nj->ni", matrices, axes) - rotate(q, axes)).max())
