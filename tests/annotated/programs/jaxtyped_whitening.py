"""Whitening and canonical correlation, with explicitly checked functions."""

import equinox as eqx
import jax
import jax.numpy as jnp
from beartype import beartype
from jaxtyping import Array, Float, jaxtyped


@jaxtyped(typechecker=beartype)
class Whitener(eqx.Module):
    mean: Float[Array, "d"]
    root: Float[Array, "d d"]

    def __call__(self, x: Float[Array, "n d"]) -> Float[Array, "n d"]:
        return (x - self.mean) @ self.root


@jaxtyped(typechecker=beartype)
def inverse_root(cov: Float[Array, "d d"], ridge: float = 1e-3) -> Float[Array, "d d"]:
    values, vectors = jnp.linalg.eigh(cov)
    return (vectors / jnp.sqrt(values + ridge)) @ vectors.T


@jaxtyped(typechecker=beartype)
def covariance(x: Float[Array, "n p"], y: Float[Array, "n q"]) -> Float[Array, "p q"]:
    x_centered = x - x.mean(axis=0)
    y_centered = y - y.mean(axis=0)
    return x_centered.T @ y_centered / (x.shape[0] - 1)


def fit_whitener(x: Float[Array, "n d"]) -> Whitener:
    return Whitener(mean=x.mean(axis=0), root=inverse_root(covariance(x, x)))


@jaxtyped(typechecker=beartype)
def canonical_correlations(x: Float[Array, "n p"], y: Float[Array, "n q"]) -> Float[Array, "min(p,q)"]:
    x_white, y_white = fit_whitener(x)(x), fit_whitener(y)(y)
    return jnp.linalg.svd(covariance(x_white, y_white), compute_uv=False)


shared, x_noise, y_noise = jax.random.normal(jax.random.key(0), (3, 25, 5))
x = shared[:, :3] + 0.5 * x_noise[:, :3]
y = shared + 0.5 * y_noise
print(canonical_correlations(x, y))
