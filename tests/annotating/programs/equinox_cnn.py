"""A small convolutional classifier in Equinox."""

import sys

import equinox as eqx
import jax
import jax.numpy as jnp
import optax


class ConvBlock(eqx.Module):
    conv: eqx.nn.Conv2d
    scale: jax.Array

    def __init__(self, in_channels, out_channels, key):
        self.conv = eqx.nn.Conv2d(in_channels, out_channels, 3, padding=1, key=key)
        self.scale = jnp.ones((out_channels, 1, 1))

    def __call__(self, x):
        x = self.conv(x)
        x = (x - x.mean(axis=(1, 2), keepdims=True)) * self.scale
        return jax.nn.relu(x)


class Classifier(eqx.Module):
    blocks: list
    head: eqx.nn.Linear

    def __init__(self, channels, classes, key):
        k1, k2, k3 = jax.random.split(key, 3)
        self.blocks = [ConvBlock(1, channels, k1), ConvBlock(channels, channels, k2)]
        self.head = eqx.nn.Linear(channels, classes, key=k3)

    def __call__(self, image):
        x = image[None]
        for block in self.blocks:
            x = block(x)
        return self.head(x.mean(axis=(1, 2)))


def smooth_labels(labels, classes, amount):
    one_hot = jax.nn.one_hot(labels, classes)
    return (1 - amount) * one_hot + amount / classes


def loss_fn(model, images, targets):
    logits = jax.vmap(model)(images)
    return optax.softmax_cross_entropy(logits, targets).mean()


@eqx.filter_jit
def train_step(model, opt_state, optimizer, images, targets):
    loss, grads = eqx.filter_value_and_grad(loss_fn)(model, images, targets)
    updates, opt_state = optimizer.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, loss


def stripes(key, n, size):
    angle_key, noise_key = jax.random.split(key)
    labels = jax.random.bernoulli(angle_key, 0.5, (n,)).astype(int)
    wave = jnp.sin(jnp.arange(size))
    across = jnp.broadcast_to(wave, (size, size))
    images = jnp.where(labels[:, None, None] == 1, across, across.T)
    return images + 0.1 * jax.random.normal(noise_key, images.shape), labels


def accuracy(model, images, labels):
    logits = jax.vmap(model)(images)
    return (logits.argmax(axis=-1) == labels).mean()


def main(n=16, size=12, channels=8):
    data_key, model_key = jax.random.split(jax.random.key(0))
    images, labels = stripes(data_key, n, size)
    model = Classifier(channels, 2, model_key)
    optimizer = optax.adam(1e-2)
    opt_state = optimizer.init(eqx.filter(model, eqx.is_array))
    targets = smooth_labels(labels, 2, 0.1)
    for _ in range(5):
        model, opt_state, loss = train_step(model, opt_state, optimizer, images, targets)
    print(loss, accuracy(model, images, labels))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
