"""Functions compiled for static arguments: unrolled filters, tiling, powers of a matrix."""

import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnums=(1, 2))
def smooth(signal: jax.Array, width: int, mode: str = "same") -> jax.Array:
    kernel = jnp.ones(width, signal.dtype) / width
    return jnp.convolve(signal, kernel, mode=mode)


@functools.partial(jax.jit, static_argnames=("degree", "include_bias"))
def polynomial_features(x: jax.Array, degree: int, *, include_bias: bool = True) -> jax.Array:
    columns = [x**power for power in range(0 if include_bias else 1, degree + 1)]
    return jnp.stack(columns, axis=-1)


@functools.partial(jax.jit, static_argnums=1)
def matrix_power(a: jax.Array, n: int) -> jax.Array:
    result = jnp.eye(a.shape[0], dtype=a.dtype)
    while n:
        if n % 2:
            result = result @ a
        a = a @ a
        n //= 2
    return result


@jax.jit
def pairwise(points: jax.Array) -> jax.Array:
    gaps = points[:, None] - points[None]
    return jnp.sqrt(jnp.maximum((gaps**2).sum(-1), 0.0))


t = jnp.linspace(0.0, 2 * jnp.pi, 64)
noise = 0.2 * jax.random.normal(jax.random.key(0), (64,))
signal = jnp.sin(t) + noise
smoothed = smooth(signal, 5)

design = jnp.stack([jnp.ones_like(t), t, t**2, t**3], axis=-1)
coefficients, *_ = jnp.linalg.lstsq(design, signal)
fitted = design @ coefficients
features = polynomial_features(t, 3)

adjacency = jnp.array([[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]])
walks = matrix_power(adjacency, 5)
degrees = adjacency.sum(axis=1)
laplacian = jnp.diag(degrees) - adjacency
spectrum = jnp.linalg.eigvalsh(laplacian.astype(jnp.float32))
tiled = jnp.tile(adjacency, (2, 1))
distances = pairwise(design[:6])
print(jnp.abs(smoothed - fitted).mean(), features.shape, walks[0], spectrum, tiled.shape, distances.max())
