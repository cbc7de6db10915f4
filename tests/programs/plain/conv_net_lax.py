"""A small convolutional network from lax primitives, its architecture a list of dicts."""

from functools import partial

import jax
import jax.numpy as jnp
from jax import lax, random

ARCHITECTURE = [
    {"kind": "conv", "channels": 8, "kernel": 3, "stride": 1},
    {"kind": "pool", "window": 2},
    {"kind": "conv", "channels": 16, "kernel": 3, "stride": 2},
    {"kind": "flatten"},
    {"kind": "dense", "units": 10},
]


def conv(x, kernel, bias, stride):
    y = lax.conv_general_dilated(
        x, kernel, window_strides=(stride, stride), padding="SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )
    return y + bias


def max_pool(x, window):
    return lax.reduce_window(
        x, -jnp.inf, lax.max, (1, window, window, 1), (1, window, window, 1), padding="VALID"
    )


def init(key, input_shape):
    params = []
    shape = input_shape
    for spec in ARCHITECTURE:
        key, k = random.split(key)
        if spec["kind"] == "conv":
            size, channels, stride = spec["kernel"], spec["channels"], spec["stride"]
            kernel = random.normal(k, (size, size, shape[-1], channels)) * 0.1
            params.append({"kernel": kernel, "bias": jnp.zeros((channels,))})
            height, width = -(-shape[0] // stride), -(-shape[1] // stride)
            shape = (height, width, channels)
        elif spec["kind"] == "pool":
            params.append({})
            shape = (shape[0] // spec["window"], shape[1] // spec["window"], shape[2])
        elif spec["kind"] == "flatten":
            params.append({})
            n = 1
            for d in shape:
                n *= d
            shape = (n,)
        else:
            w = random.normal(k, (shape[0], spec["units"])) / shape[0] ** 0.5
            params.append({"w": w, "b": jnp.zeros(spec["units"])})
            shape = (spec["units"],)
    return params


def apply(params, x):
    for spec, p in zip(ARCHITECTURE, params):
        kind = spec["kind"]
        if kind == "conv":
            x = jax.nn.relu(conv(x, p["kernel"], p["bias"], spec["stride"]))
        elif kind == "pool":
            x = max_pool(x, spec["window"])
        elif kind == "flatten":
            x = x.reshape(x.shape[0], -1)
        else:
            x = x @ p["w"] + p["b"]
    return x


def cross_entropy(params, images, labels):
    logits = apply(params, images)
    log_probs = jax.nn.log_softmax(logits)
    picked = jnp.take_along_axis(log_probs, labels[:, None], axis=1)
    return -picked.mean()


@partial(jax.jit, static_argnums=(3,), donate_argnums=(0,))
def update(params, images, labels, lr):
    grads = jax.grad(cross_entropy)(params, images, labels)
    return jax.tree.map(lambda p, g: p - lr * g, params, grads)


def main():
    key = random.PRNGKey(1)
    k_init, k_images, k_labels = random.split(key, 3)
    images = random.uniform(k_images, (16, 14, 14, 1))
    labels = random.randint(k_labels, (16,), 0, 10)
    params = init(k_init, images.shape[1:])
    before = cross_entropy(params, images, labels)
    for _ in range(5):
        params = update(params, images, labels, 0.1)
    after = cross_entropy(params, images, labels)
    guesses = jnp.argmax(apply(params, images), -1)
    hits = (guesses == labels).sum()
    print(before, after, hits)
    assert after < before


main()
