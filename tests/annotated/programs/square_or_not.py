"""Linear solves that look at the sizes: square systems directly, others by least squares."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Num


def solve(a: Float[Array, "n m"], b: Float[Array, "n k"]) -> Float[Array, "m k"]:
    n, m = a.shape
    if n == m:
        return jnp.linalg.solve(a, b)
    if n > m:
        return jnp.linalg.solve(a.T @ a, a.T @ b)
    return a.T @ jnp.linalg.solve(a @ a.T, b)


def log_volume(a: Float[Array, "n m"]) -> Float[Array, ""]:
    n, m = a.shape
    if n == m:
        return jnp.linalg.slogdet(a)[1]
    gram = a.T @ a if n > m else a @ a.T
    return 0.5 * jnp.linalg.slogdet(gram)[1]


def pad_columns(x: Num[Array, "n m"], width: int) -> Num[Array, "n {width}"]:
    n, m = x.shape
    if m == width:
        return x
    assert m < width
    return jnp.concatenate([x, jnp.zeros((n, width - m), x.dtype)], axis=1)


def residual(a: Float[Array, "n m"], x: Float[Array, "m k"], b: Float[Array, "n k"]) -> Float[Array, "k"]:
    return jnp.linalg.norm(a @ x - b, axis=0)


tall = jax.random.normal(jax.random.key(0), (7, 3))
wide = jax.random.normal(jax.random.key(1), (3, 5))
tall_rhs = jax.random.normal(jax.random.key(2), (7, 2))
wide_rhs = jax.random.normal(jax.random.key(3), (3, 2))
x = solve(tall, tall_rhs)
z = solve(wide, wide_rhs)
print(residual(tall, x, tall_rhs), residual(wide, z, wide_rhs), solve(tall.T @ tall, x))
print(log_volume(tall), log_volume(wide), pad_columns(x, 4).shape)
