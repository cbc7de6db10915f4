"""Point clouds and meshes: functions over a single point, a cloud or a batch of clouds."""

from typing import TypeAlias

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int

Point: TypeAlias = Float[Array, "3"]
Cloud: TypeAlias = Float[Array, "n 3"]
Clouds: TypeAlias = Float[Array, "b n 3"]
AnyPoints: TypeAlias = Point | Cloud | Clouds
Faces: TypeAlias = Int[Array, "f 3"]


def bounding_radius(points: Cloud | Clouds) -> Float[Array, "*b"]:
    center = points.mean(axis=-2, keepdims=True)
    return jnp.linalg.norm(points - center, axis=-1).max(axis=-1)


def transform(points: AnyPoints, rotation: Float[Array, "3 3"], shift: Point) -> AnyPoints:
    return points @ rotation.T + shift


def face_normals(vertices: Cloud, faces: Faces) -> Float[Array, "f 3"]:
    a, b, c = vertices[faces[:, 0]], vertices[faces[:, 1]], vertices[faces[:, 2]]
    return jnp.cross(b - a, c - a)


def vertex_normals(vertices: Cloud, faces: Faces) -> Cloud:
    normals = face_normals(vertices, faces)
    summed = jnp.zeros_like(vertices).at[faces].add(normals[:, None, :])
    return summed / (jnp.linalg.norm(summed, axis=-1, keepdims=True) + 1e-8)


def chamfer(a: Cloud, b: Float[Array, "m 3"]) -> Float[Array, ""]:
    sq = jnp.sum((a[:, None] - b[None]) ** 2, axis=-1)
    return sq.min(axis=0).mean() + sq.min(axis=1).mean()


def sample_faces(key: Array, vertices: Cloud, faces: Faces, count: int) -> Float[Array, "{count} 3"]:
    face_key, weight_key = jax.random.split(key)
    area = 0.5 * jnp.linalg.norm(face_normals(vertices, faces), axis=-1)
    chosen = jax.random.categorical(face_key, jnp.log(area), shape=(count,))
    weights = jax.random.dirichlet(weight_key, jnp.ones(3), (count,))
    return jnp.einsum("sk,skx->sx", weights, vertices[faces[chosen]])


vertices = jnp.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]])
faces = jnp.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3], [1, 4, 2], [2, 4, 3]])
samples = sample_faces(jax.random.key(0), vertices, faces, 8)
turn = jnp.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
moved = transform(samples, turn, jnp.array([0.5, 0.0, 0.0]))
print(chamfer(vertices, moved), bounding_radius(jnp.stack([samples, moved])))
print(vertex_normals(vertices, faces))
