"""A variational autoencoder on images of bars; tuples of parameters, value_and_grad with has_aux."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import grad, jit, random, value_and_grad, vmap

LATENT = 3
SIDE = 8


def bars(n, seed=0):
    rng = np.random.default_rng(seed)
    images = np.zeros((n, SIDE, SIDE), np.float32)
    for img in images:
        if rng.random() < 0.5:
            img[rng.integers(SIDE), :] = 1
        else:
            img[:, rng.integers(SIDE)] = 1
    return images.reshape(n, -1)


def glorot(key, shape):
    return random.normal(key, shape) * jnp.sqrt(2 / sum(shape))


def init_mlp(key, sizes):
    keys = random.split(key, len(sizes) - 1)
    return [(glorot(k, (m, n)), jnp.zeros(n)) for k, m, n in zip(keys, sizes, sizes[1:])]


def mlp(layers, x):
    *hidden, (w_last, b_last) = layers
    for w, b in hidden:
        x = jax.nn.elu(jnp.dot(x, w) + b)
    return jnp.dot(x, w_last) + b_last


def encode(params, x):
    moments = mlp(params, x)
    mean, log_var = jnp.split(moments, 2, axis=-1)
    return mean, log_var


def reparameterise(key, mean, log_var):
    eps = random.normal(key, mean.shape)
    return mean + eps * jnp.exp(0.5 * log_var)


def kl(mean, log_var):
    return -0.5 * jnp.sum(1 + log_var - mean**2 - jnp.exp(log_var))


def bernoulli_log_prob(logits, x):
    return -jnp.sum(jnp.logaddexp(0.0, jnp.where(x > 0.5, -1.0, 1.0) * logits))


def elbo(params, key, x):
    enc, dec = params
    mean, log_var = encode(enc, x)
    z = reparameterise(key, mean, log_var)
    logits = mlp(dec, z)
    reconstruction = bernoulli_log_prob(logits, x)
    divergence = kl(mean, log_var)
    return reconstruction - divergence, (reconstruction, divergence)


def loss(params, key, batch):
    keys = random.split(key, batch.shape[0])
    value, parts = vmap(elbo, in_axes=(None, 0, 0))(params, keys, batch)
    return -value.mean(), tuple(p.mean() for p in parts)


@jit
def update(params, momentum, key, batch, rate=0.01):
    (value, aux), grads = value_and_grad(loss, has_aux=True)(params, key, batch)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, grads)
    params = jax.tree.map(lambda p, m: p - rate * m, params, momentum)
    return params, momentum, value, aux


key = random.PRNGKey(42)
key, k_enc, k_dec = random.split(key, 3)
params = (
    init_mlp(k_enc, [SIDE * SIDE, 32, 2 * LATENT]),
    init_mlp(k_dec, [LATENT, 32, SIDE * SIDE]),
)
momentum = jax.tree.map(jnp.zeros_like, params)
images = bars(64)
for epoch in range(3):
    for start in range(0, len(images), 16):
        key, sub = random.split(key)
        params, momentum, value, (rec, div) = update(params, momentum, sub, images[start : start + 16])
    print(f"{epoch}: {value:.3f} = -({rec:.3f} - {div:.3f})")

z = random.normal(key, (5, LATENT))
samples = jax.nn.sigmoid(mlp(params[1], z)).reshape(-1, SIDE, SIDE)
sensitivity = vmap(grad(lambda code: mlp(params[1], code).max()))(z)
grid = jnp.concatenate(list(samples), axis=1)
print(grid.shape, sensitivity.shape)
