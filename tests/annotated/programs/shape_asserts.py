"""Camera geometry with asserted shapes: projection, triangulation, reprojection errors."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float


def homogeneous(points: Float[Array, "n d"]) -> Float[Array, "n d+1"]:
    n, d = points.shape
    out = jnp.concatenate([points, jnp.ones((n, 1))], axis=1)
    assert out.shape == (n, d + 1)
    return out


def project(camera: Float[Array, "3 4"], points: Float[Array, "n 3"]) -> Float[Array, "n 2"]:
    image = homogeneous(points) @ camera.T
    n = points.shape[0]
    assert image.shape == (n, 3)
    return image[:, :2] / image[:, 2:]


def triangulate(cameras: Float[Array, "views 3 4"], pixels: Float[Array, "views 2"]) -> Float[Array, "3"]:
    views = cameras.shape[0]
    rows = pixels[:, :, None] * cameras[:, 2:3, :] - cameras[:, :2, :]
    system = rows.reshape(2 * views, 4)
    _, _, vt = jnp.linalg.svd(system)
    return vt[-1, :3] / vt[-1, 3]


def triangulate_all(
    cameras: Float[Array, "views 3 4"], pixels: Float[Array, "views n 2"]
) -> Float[Array, "n 3"]:
    assert pixels.ndim == 3 and pixels.shape[0] == cameras.shape[0]
    return jax.vmap(triangulate, in_axes=(None, 1))(cameras, pixels)


def reprojection_error(
    cameras: Float[Array, "views 3 4"], points: Float[Array, "n 3"], pixels: Float[Array, "views n 2"]
) -> Float[Array, "views"]:
    projected = jax.vmap(project, in_axes=(0, None))(cameras, points)
    return jnp.linalg.norm(projected - pixels, axis=-1).mean(axis=1)


base = jnp.eye(3, 4)
shifts = jnp.array([[0.0, 0, 4], [0.5, 0, 4], [0, 0.5, 4], [-0.5, 0, 4], [0, -0.5, 5]])
cameras = jax.vmap(lambda shift: base.at[:, 3].set(shift))(shifts)
points = jax.random.uniform(jax.random.key(0), (7, 3))
pixels = jax.vmap(project, in_axes=(0, None))(cameras, points)
estimated = triangulate_all(cameras, pixels)
print(reprojection_error(cameras, estimated, pixels))
