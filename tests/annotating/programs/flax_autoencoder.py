"""A variational autoencoder in Flax linen."""

import sys

import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax.training.train_state import TrainState


class Encoder(nn.Module):
    hidden: int
    latents: int

    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(self.hidden)(x))
        mean = nn.Dense(self.latents)(x)
        logvar = nn.Dense(self.latents)(x)
        return mean, logvar


class Decoder(nn.Module):
    hidden: int
    outputs: int

    @nn.compact
    def __call__(self, z):
        z = nn.relu(nn.Dense(self.hidden)(z))
        return nn.Dense(self.outputs)(z)


class VAE(nn.Module):
    hidden: int
    latents: int
    outputs: int

    def setup(self):
        self.encoder = Encoder(self.hidden, self.latents)
        self.decoder = Decoder(self.hidden, self.outputs)

    def __call__(self, x, key):
        mean, logvar = self.encoder(x)
        z = sample(key, mean, logvar)
        return self.decoder(z), mean, logvar


def sample(key, mean, logvar):
    return mean + jnp.exp(0.5 * logvar) * jax.random.normal(key, mean.shape)


def kl_divergence(mean, logvar):
    return -0.5 * jnp.sum(1 + logvar - mean**2 - jnp.exp(logvar), axis=-1)


def reconstruction(logits, x):
    return optax.sigmoid_binary_cross_entropy(logits, x).sum(axis=-1)


@jax.jit
def train_step(state, batch, key):
    def loss_fn(params):
        logits, mean, logvar = state.apply_fn({"params": params}, batch, key)
        return (reconstruction(logits, batch) + kl_divergence(mean, logvar)).mean()

    loss, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), loss


def create_state(key, model, features):
    init_key, sample_key = jax.random.split(key)
    params = model.init(init_key, jnp.zeros((1, features)), sample_key)["params"]
    return TrainState.create(apply_fn=model.apply, params=params, tx=optax.adam(1e-3))


def main(batch=32, features=64, hidden=32):
    key = jax.random.PRNGKey(0)
    key, data_key, state_key = jax.random.split(key, 3)
    data = jax.random.bernoulli(data_key, 0.3, (batch, features)).astype(jnp.float32)
    model = VAE(hidden, 8, features)
    state = create_state(state_key, model, features)
    for _ in range(3):
        key, step_key = jax.random.split(key)
        state, loss = train_step(state, data, step_key)
    print(loss)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
