"""A convolutional classifier on jax.lax alone, in NHWC layout."""

from typing import Literal as L
from typing import TypeVar

import jax
import jax.numpy as jnp
from jax import lax

from jaxtyping_core.typing import Array, Float32, Int32

B = TypeVar("B", bound=int)
C = TypeVar("C", bound=int)

DIMENSIONS = ("NHWC", "HWIO", "NHWC")


def convolve(x: Float32[B, L[12], L[12], L[3]], kernel: Float32[L[3], L[3], L[3], L[8]]) -> Float32[B, L[12], L[12], L[8]]:
    return lax.conv_general_dilated(
        x, kernel, window_strides=(1, 1), padding="SAME", dimension_numbers=DIMENSIONS
    )


def max_pool(x: Float32[B, L[12], L[12], L[8]]) -> Float32[B, L[6], L[6], L[8]]:
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")


def features(
    x: Float32[B, L[12], L[12], L[3]],
    kernel: Float32[L[3], L[3], L[3], L[8]],
    bias: Float32[L[8]],
) -> Float32[B, L[8]]:
    h = convolve(x, kernel) + bias
    h = max_pool(jax.nn.relu(h))
    return h.mean(axis=(1, 2))


def logits(x: Float32[B, L[8]], w: Float32[L[8], C]) -> Float32[B, C]:
    normalized = x / jnp.linalg.norm(x, axis=-1, keepdims=True)
    return normalized @ w


def loss(scores: Float32[B, C], labels: Int32[B]) -> Float32[()]:
    log_probs = jax.nn.log_softmax(scores)
    one_hot = jax.nn.one_hot(labels, scores.shape[1])
    return -(one_hot * log_probs).sum(axis=1).mean()


key_x, key_k, key_w = jax.random.split(jax.random.key(0), 3)
images = jax.random.normal(key_x, (4, 12, 12, 3))
kernel = jax.random.normal(key_k, (3, 3, 3, 8)) * 0.2
bias = jnp.zeros(8)
w = jax.random.normal(key_w, (8, 5))
labels = jnp.array([0, 1, 2, 3])


@jax.jit
def objective(kernel: Array, bias: Array, w: Array) -> Array:
    return loss(logits(features(images, kernel, bias), w), labels)


grads = jax.grad(objective, argnums=(0, 1, 2))(kernel, bias, w)
kernel = kernel - 0.1 * grads[0]
flipped = images[:, :, ::-1]
padded = jnp.pad(flipped, ((0, 0), (2, 2), (2, 2), (0, 0)))
crops = lax.dynamic_slice(padded, (0, 1, 3, 0), (4, 12, 12, 3))
print(objective(kernel, bias, w), features(crops, kernel, bias).shape)
