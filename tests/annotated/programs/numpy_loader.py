"""Batches of an in-memory data set: numpy on the host, a generator, arrays on the device."""

from collections.abc import Iterator

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Float, Float32, Int, Int32, UInt8

HostBatch = tuple[UInt8[np.ndarray, "b h w"], Int32[np.ndarray, "b"]]


def normalize(images: UInt8[np.ndarray, "b h w"]) -> Float32[np.ndarray, "b h w"]:
    return (images.astype(np.float32) - 127.5) / 127.5


def batches(
    images: UInt8[np.ndarray, "n h w"], labels: Int32[np.ndarray, "n"], size: int, seed: int = 0
) -> Iterator[HostBatch]:
    order = np.random.default_rng(seed).permutation(images.shape[0])
    for start in range(0, images.shape[0] - size + 1, size):
        rows = order[start : start + size]
        yield images[rows], labels[rows]


def prefetch(loader: Iterator[HostBatch]) -> Iterator[tuple[Float[Array, "b h w"], Int[Array, "b"]]]:
    for images, labels in loader:
        yield jax.device_put(normalize(images)), jnp.asarray(labels)


def class_means(
    images: Float[Array, "b h w"], labels: Int[Array, "b"], num_classes: int
) -> Float[Array, "{num_classes} h*w"]:
    b, h, w = images.shape
    one_hot = jax.nn.one_hot(labels, num_classes)
    counts = jnp.maximum(one_hot.sum(axis=0), 1.0)
    return (one_hot.T @ images.reshape(b, h * w)) / counts[:, None]


rng = np.random.default_rng(1)
images = rng.integers(0, 256, size=(13, 3, 5), dtype=np.uint8)
labels = rng.integers(0, 7, size=13).astype(np.int32)
total = jnp.zeros((7, 15))
for xs, ys in prefetch(batches(images, labels, size=4)):
    total = total + class_means(xs, ys, 7)
print(total.mean())
