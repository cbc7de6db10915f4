"""Random crops, flips, brightness and cutout of a batch of images, and an edge filter."""

import jax
import jax.numpy as jnp
from jax import lax


def random_crop(key: jax.Array, image: jax.Array, size: int) -> jax.Array:
    y_key, x_key = jax.random.split(key)
    height, width, channels = image.shape
    y = jax.random.randint(y_key, (), 0, height - size + 1)
    x = jax.random.randint(x_key, (), 0, width - size + 1)
    return lax.dynamic_slice(image, (y, x, 0), (size, size, channels))


def random_flip(key: jax.Array, image: jax.Array) -> jax.Array:
    return lax.cond(jax.random.bernoulli(key), lambda i: i[:, ::-1], lambda i: i, image)


def cutout(key: jax.Array, image: jax.Array, size: int) -> jax.Array:
    height, width, _ = image.shape
    corner = jax.random.randint(key, (2,), 0, height - size)
    rows = jnp.arange(height)[:, None]
    columns = jnp.arange(width)[None, :]
    inside = (rows >= corner[0]) & (rows < corner[0] + size) & (columns >= corner[1]) & (columns < corner[1] + size)
    return jnp.where(inside[..., None], 0.0, image)


def augment(key: jax.Array, image: jax.Array) -> jax.Array:
    crop_key, flip_key, cut_key, light_key = jax.random.split(key, 4)
    image = random_crop(crop_key, image, 12)
    image = random_flip(flip_key, image)
    image = image + jax.random.uniform(light_key, (), minval=-0.1, maxval=0.1)
    return cutout(cut_key, jnp.clip(image, 0.0, 1.0), 4)


@jax.jit
def augment_batch(key: jax.Array, images: jax.Array) -> jax.Array:
    keys = jax.random.split(key, images.shape[0])
    return jax.vmap(augment)(keys, images)


images = jax.random.uniform(jax.random.key(0), (5, 16, 16, 3))
batch = augment_batch(jax.random.key(1), images)

luma = jnp.array([0.299, 0.587, 0.114])
gray = images @ luma
sobel = jnp.array([[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]])
kernel = jnp.stack([sobel, sobel.T])[:, None]
edges = lax.conv(gray[:, None], kernel, (1, 1), "SAME")
strength = jnp.sqrt(jnp.sum(edges**2, axis=1))
mean = images.mean(axis=(0, 1, 2))
std = images.std(axis=(0, 1, 2))
standardized = (images - mean) / std
small = jax.image.resize(images, (5, 8, 8, 3), method="bilinear")
print(batch.shape, strength.max(), standardized.mean(), small.shape)
