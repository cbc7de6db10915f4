"""A variational autoencoder with annotated sizes."""

from typing import NamedTuple, TypeVar

import jax
import jax.numpy as jnp

from jaxtyping_core.typing import Array, Float32

B = TypeVar("B", bound=int)
X = TypeVar("X", bound=int)
H = TypeVar("H", bound=int)
Z = TypeVar("Z", bound=int)


class Weights(NamedTuple):
    enc: Array
    mean: Array
    log_var: Array
    dec: Array
    out: Array


def init(key: jax.Array, n_x: int, n_h: int, n_z: int) -> Weights:
    shapes = [(n_x, n_h), (n_h, n_z), (n_h, n_z), (n_z, n_h), (n_h, n_x)]
    keys = jax.random.split(key, len(shapes))
    return Weights(*[0.1 * jax.random.normal(k, shape) for k, shape in zip(keys, shapes, strict=True)])


def encode(
    x: Float32[B, X], w: Float32[X, H], w_mean: Float32[H, Z], w_log_var: Float32[H, Z]
) -> tuple[Float32[B, Z], Float32[B, Z]]:
    h = jax.nn.relu(x @ w)
    return h @ w_mean, h @ w_log_var


def reparameterize(key: Array, mean: Float32[B, Z], log_var: Float32[B, Z]) -> Float32[B, Z]:
    noise = jax.random.normal(key, mean.shape)
    return mean + jnp.exp(0.5 * log_var) * noise


def decode(z: Float32[B, Z], w: Float32[Z, H], w_out: Float32[H, X]) -> Float32[B, X]:
    h = jax.nn.relu(z @ w)
    return h @ w_out


def kl_divergence(mean: Float32[B, Z], log_var: Float32[B, Z]) -> Float32[B]:
    terms = 1 + log_var - mean**2 - jnp.exp(log_var)
    return -0.5 * jnp.sum(terms, axis=-1)


def reconstruction(logits: Float32[B, X], x: Float32[B, X]) -> Float32[B]:
    log_likelihood = x * jax.nn.log_sigmoid(logits) + (1 - x) * jax.nn.log_sigmoid(-logits)
    return -log_likelihood.sum(axis=1)


def elbo(params: Weights, x: Float32[B, X], key: Array) -> Float32[()]:
    mean, log_var = encode(x, params.enc, params.mean, params.log_var)
    z = reparameterize(key, mean, log_var)
    logits = decode(z, params.dec, params.out)
    per_example = reconstruction(logits, x) + kl_divergence(mean, log_var)
    return jnp.mean(per_example)


@jax.jit
def update(params: Weights, x: Float32[B, X], key: Array) -> tuple[Weights, Array]:
    value, grads = jax.value_and_grad(elbo)(params, x, key)
    return jax.tree.map(lambda p, g: p - 1e-2 * g, params, grads), value


params = init(jax.random.key(0), 20, 12, 3)
data = jax.random.bernoulli(jax.random.key(1), 0.3, (16, 20)).astype(jnp.float32)
for step in range(3):
    params, value = update(params, data, jax.random.key(step))
    print("negative elbo", value)
samples = jax.nn.sigmoid(decode(jax.random.normal(jax.random.key(9), (5, 3)), params.dec, params.out))
print("samples", samples.mean(axis=1))
