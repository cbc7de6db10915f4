"""Forecast a sum of waves with a small Flax NNX model."""

import sys

import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Mixer(nnx.Module):
    def __init__(self, window, width, rngs):
        self.time = nnx.Linear(window, window, rngs=rngs)
        self.inner = nnx.Linear(width, width, rngs=rngs)
        self.norm = nnx.LayerNorm(width, rngs=rngs)

    def __call__(self, x):
        mixed = self.time(jnp.swapaxes(x, 1, 2))
        x = x + jnp.swapaxes(mixed, 1, 2)
        return self.norm(x + nnx.gelu(self.inner(x)))


class Forecaster(nnx.Module):
    def __init__(self, series, window, width, horizon, rngs):
        self.embed = nnx.Linear(series, width, rngs=rngs)
        self.mixer = Mixer(window, width, rngs)
        self.head = nnx.Linear(window * width, horizon, rngs=rngs)

    def __call__(self, x):
        h = self.mixer(self.embed(x))
        return self.head(h.reshape(h.shape[0], -1))


def waves(key, length, series):
    k1, k2 = jax.random.split(key)
    freq = jax.random.uniform(k1, (series,), minval=0.05, maxval=0.3)
    phase = jax.random.uniform(k2, (series,), maxval=2 * jnp.pi)
    return jnp.sin(jnp.arange(length)[:, None] * freq + phase)


def windows(data, window, horizon):
    count = len(data) - window - horizon + 1
    rows = jnp.arange(count)[:, None]
    inputs = data[rows + jnp.arange(window)]
    targets = data[rows + window + jnp.arange(horizon), 0]
    return inputs, targets


def loss_fn(model, x, y):
    return jnp.mean((model(x) - y) ** 2)


@nnx.jit
def train_step(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(loss_fn)(model, x, y)
    optimizer.update(model, grads)
    return loss


def mean_absolute_error(predicted, target):
    return jnp.abs(predicted - target).mean(axis=0)


def main(length=64, window=16, width=16):
    data = waves(jax.random.key(0), length, 3)
    x, y = windows(data, window, 4)
    model = Forecaster(3, window, width, 4, nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
    for _ in range(3):
        loss = train_step(model, optimizer, x, y)
    print(loss, mean_absolute_error(model(x), y))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
