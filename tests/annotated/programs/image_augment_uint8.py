"""Augmentations of images stored as bytes: flips, crops, brightness."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, PRNGKeyArray, UInt8

Image = UInt8[Array, "h w 3"]
Batch = UInt8[Array, "b h w 3"]


def random_flip(key: PRNGKeyArray, image: Image) -> Image:
    flip: Bool[Array, ""] = jax.random.bernoulli(key)
    return jnp.where(flip, image[:, ::-1], image)


def to_float(image: UInt8[Array, "*batch c"]) -> Float[Array, "*batch c"]:
    return image.astype(jnp.float32) / 255.0


def to_bytes(image: Float[Array, "*batch c"]) -> UInt8[Array, "*batch c"]:
    return jnp.round(jnp.clip(image, 0.0, 1.0) * 255.0).astype(jnp.uint8)


def jitter(key: PRNGKeyArray, image: Image, strength: float = 0.2) -> Image:
    gain = 1.0 + jax.random.uniform(key, (3,), minval=-strength, maxval=strength)
    return to_bytes(to_float(image) * gain)


def random_crop(key: PRNGKeyArray, image: Image, rows: int, cols: int) -> UInt8[Array, "{rows} {cols} 3"]:
    h, w, _ = image.shape
    top_key, left_key = jax.random.split(key)
    top = jax.random.randint(top_key, (), 0, h - rows + 1)
    left = jax.random.randint(left_key, (), 0, w - cols + 1)
    return jax.lax.dynamic_slice(image, (top, left, 0), (rows, cols, 3))


def augment(key: PRNGKeyArray, images: Batch, rows: int, cols: int) -> UInt8[Array, "b {rows} {cols} 3"]:
    def one(key: PRNGKeyArray, image: Image) -> UInt8[Array, "rows cols 3"]:
        crop_key, flip_key, jitter_key = jax.random.split(key, 3)
        cropped = random_crop(crop_key, image, rows, cols)
        return jitter(jitter_key, random_flip(flip_key, cropped))

    return jax.vmap(one)(jax.random.split(key, images.shape[0]), images)


images = jax.random.randint(jax.random.key(0), (2, 7, 9, 3), 0, 256).astype(jnp.uint8)
print(augment(jax.random.key(1), images, 5, 6).mean(axis=(0, 1, 2)))
