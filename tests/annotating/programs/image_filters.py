"""Image filters on uint8 pictures: blur, edges, histogram equalization, crops."""

import sys

import jax
import jax.numpy as jnp
import numpy as np


def to_float(image):
    return image.astype(jnp.float32) / 255


def to_bytes(image):
    return jnp.clip(image * 255, 0, 255).astype(jnp.uint8)


def grayscale(image):
    return image @ jnp.array([0.299, 0.587, 0.114])


def gaussian_kernel(radius, sigma):
    offsets = jnp.arange(-radius, radius + 1)
    weights = jnp.exp(-0.5 * (offsets / sigma) ** 2)
    return weights / weights.sum()


def blur_rows(image, kernel):
    return jax.vmap(lambda row: jnp.convolve(row, kernel, mode="same"))(image)


def blur(image, kernel):
    return blur_rows(blur_rows(image, kernel).T, kernel).T


def gradients(image):
    dx = image[:, 1:] - image[:, :-1]
    dy = image[1:, :] - image[:-1, :]
    return dx, dy


def edges(image, threshold=0.1):
    dx, dy = gradients(image)
    magnitude = jnp.sqrt(dx[:-1] ** 2 + dy[:, :-1] ** 2)
    return magnitude > threshold


def histogram(image, bins=256):
    return jnp.zeros(bins, jnp.int32).at[image.ravel()].add(1)


def equalize(image):
    counts = histogram(image)
    cdf = jnp.cumsum(counts) / image.size
    return to_bytes(cdf[image])


def random_crop(key, image, size):
    h, w = image.shape[:2]
    k1, k2 = jax.random.split(key)
    top = jax.random.randint(k1, (), 0, h - size + 1)
    left = jax.random.randint(k2, (), 0, w - size + 1)
    return jax.lax.dynamic_slice(image, (top, left, 0), (size, size, 3))


def random_flip(key, image):
    return jnp.where(jax.random.bernoulli(key), image[:, ::-1], image)


def augment(key, images, size):
    def one(key, image):
        k1, k2 = jax.random.split(key)
        return random_flip(k1, random_crop(k2, image, size))

    return jax.vmap(one)(jax.random.split(key, images.shape[0]), images)


def mean_and_std(images):
    return images.mean(axis=(0, 1, 2)), images.std(axis=(0, 1, 2))


def normalize(images, mean, std):
    return (images - mean) / std


def load(n, size, seed):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 256, (n, size, size, 3), dtype=np.uint8)


def main(n=4, size=24, crop=16):
    images = jnp.asarray(load(n, size, 0))
    crops = augment(jax.random.key(0), images, crop)
    floats = to_float(crops)
    mean, std = mean_and_std(floats)
    gray = grayscale(floats[0])
    smooth = blur(gray, gaussian_kernel(2, 1.0))
    print(edges(smooth).mean(), equalize(to_bytes(gray)).mean(), normalize(floats, mean, std).std())


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
