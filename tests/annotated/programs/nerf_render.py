"""Volume rendering along rays: samples between edges, alpha compositing."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, PRNGKeyArray


def sample_edges(
    key: PRNGKeyArray, near: float, far: float, rays: int, samples: int
) -> Float[Array, "{rays} {samples}+1"]:
    edges = jnp.linspace(near, far, samples + 1)
    width = (far - near) / samples
    return edges + width * jax.random.uniform(key, (rays, samples + 1), minval=-0.4, maxval=0.4)


def cast(
    origins: Float[Array, "rays 3"], directions: Float[Array, "rays 3"], edges: Float[Array, "rays edges"]
) -> Float[Array, "rays edges-1 3"]:
    middle = 0.5 * (edges[:, 1:] + edges[:, :-1])
    return origins[:, None, :] + middle[..., None] * directions[:, None, :]


def composite(
    density: Float[Array, "rays samples"],
    rgb: Float[Array, "rays samples 3"],
    edges: Float[Array, "rays samples+1"],
) -> tuple[Float[Array, "rays 3"], Float[Array, "rays"]]:
    delta = jnp.diff(edges, axis=-1)
    optical = density * delta
    alpha = 1.0 - jnp.exp(-optical)
    through = jnp.exp(-jnp.cumsum(optical, axis=-1) + optical)
    weights: Float[Array, "rays samples"] = alpha * through
    color = jnp.sum(weights[..., None] * rgb, axis=-2)
    return color, jnp.sum(weights, axis=-1)


def blob(points: Float[Array, "*n 3"]) -> tuple[Float[Array, "*n"], Float[Array, "*n 3"]]:
    radius = jnp.linalg.norm(points, axis=-1)
    return 5.0 * jax.nn.sigmoid(10 * (1.0 - radius)), jax.nn.sigmoid(points)


rays, samples = 4, 8
directions = jnp.array([[0.1 * i, 0.0, 1.0] for i in range(rays)])
origins = jnp.tile(jnp.array([0.0, 0.0, -3.0]), (rays, 1))
edges = sample_edges(jax.random.PRNGKey(0), 1.0, 5.0, rays, samples)
points = jax.jit(cast)(origins, directions, edges)
density, rgb = blob(points)
color, opacity = composite(density, rgb, edges)
print(color, opacity)
