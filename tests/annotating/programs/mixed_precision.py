"""A bfloat16 forward pass with float32 master weights and dynamic loss scaling."""

import sys

import jax
import jax.numpy as jnp


def cast(tree, dtype):
    return jax.tree.map(lambda x: x.astype(dtype), tree)


def init(key, sizes):
    layers = []
    for key, n_in, n_out in zip(jax.random.split(key, len(sizes) - 1), sizes[:-1], sizes[1:]):
        layers.append((jax.random.normal(key, (n_in, n_out)) * n_in**-0.5, jnp.zeros(n_out)))
    return layers


def layer_norm(x, eps=1e-5):
    x = x.astype(jnp.float32)
    mean = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return (x - mean) / jnp.sqrt(var + eps)


def forward(layers, x):
    for w, b in layers[:-1]:
        x = jax.nn.relu(x @ w + b)
        x = layer_norm(x).astype(w.dtype)
    w, b = layers[-1]
    return x @ w + b


def scaled_loss(layers, x, y, scale):
    low = cast(layers, jnp.bfloat16)
    predicted = forward(low, x.astype(jnp.bfloat16)).astype(jnp.float32)
    return scale * jnp.mean((predicted[:, 0] - y) ** 2)


def all_finite(tree):
    return jnp.all(jnp.array([jnp.isfinite(leaf).all() for leaf in jax.tree.leaves(tree)]))


def global_norm(tree):
    return jnp.sqrt(sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(tree)))


def adjust_scale(scale, good_steps, finite):
    grown = jnp.where(good_steps >= 10, scale * 2, scale)
    new_scale = jnp.where(finite, grown, scale / 2)
    new_good = jnp.where(finite & (good_steps < 10), good_steps + 1, 0)
    return new_scale, new_good


@jax.jit
def train_step(layers, scale, good_steps, x, y, rate):
    loss, grads = jax.value_and_grad(scaled_loss)(layers, x, y, scale)
    grads = jax.tree.map(lambda g: g / scale, grads)
    finite = all_finite(grads)
    clip = jnp.minimum(1.0, 1.0 / (global_norm(grads) + 1e-6))
    new = jax.tree.map(lambda p, g: jnp.where(finite, p - rate * clip * g, p), layers, grads)
    scale, good_steps = adjust_scale(scale, good_steps, finite)
    return new, scale, good_steps, loss / scale


def quantize(x):
    scale = jnp.abs(x).max(axis=0) / 127
    return jnp.round(x / scale).astype(jnp.int8), scale


def dequantize(q, scale):
    return q.astype(jnp.float32) * scale


def main(batch=32, features=16, hidden=32):
    key = jax.random.key(0)
    x = jax.random.normal(key, (batch, features))
    y = jnp.sin(x.sum(axis=1))
    layers = init(key, [features, hidden, hidden, 1])
    scale, good_steps = jnp.float32(1024.0), jnp.int32(0)
    for _ in range(4):
        layers, scale, good_steps, loss = train_step(layers, scale, good_steps, x, y, 0.01)
    q, s = quantize(layers[0][0])
    print(loss, scale, jnp.abs(dequantize(q, s) - layers[0][0]).max())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
