"""Probabilistic PCA by expectation maximization; annotations as strings in part."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float

Params = tuple["Float[Array, 'd k']", "Float[Array, '']"]


def e_step(
    w: "Float[Array, 'd k']", noise: "Float[Array, '']", x: "Float[Array, 'n d']"
) -> "tuple[Float[Array, 'n k'], Float[Array, 'k k']]":
    k = w.shape[1]
    m = w.T @ w + noise * jnp.eye(k)
    z = jnp.linalg.solve(m, w.T @ x.T).T
    return z, noise * jnp.linalg.inv(m)


def m_step(x: "Float[Array, 'n d']", z: "Float[Array, 'n k']", z_cov: "Float[Array, 'k k']") -> Params:
    n, d = x.shape
    second = z.T @ z + n * z_cov
    w = jnp.linalg.solve(second, z.T @ x).T
    residual = jnp.sum(x**2) - 2 * jnp.sum(z * (x @ w)) + jnp.trace(second @ (w.T @ w))
    return w, residual / (n * d)


def fit(x: "Float[Array, 'n d']", k: int, steps: int = 5) -> "tuple[Float[Array, 'd {k}'], Float[Array, '']]":
    centered = x - x.mean(axis=0)
    w = jnp.eye(x.shape[1], k)
    noise = jnp.array(1.0)
    for _ in range(steps):
        z, z_cov = e_step(w, noise, centered)
        w, noise = m_step(centered, z, z_cov)
    return w, noise


def reconstruct(w: "Float[Array, 'd k']", noise: "Float[Array, '']", x: "Float[Array, 'n d']") -> "Array":
    z, _ = e_step(w, noise, x)
    return z @ w.T


key_z, key_w = jax.random.split(jax.random.key(0))
x = jax.random.normal(key_z, (14, 2)) @ jax.random.normal(key_w, (2, 5))
w, noise = fit(x, 2)
print(noise, jnp.abs(reconstruct(w, noise, x) - x).mean())
