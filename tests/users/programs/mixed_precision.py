"""bfloat16 activations with float32 master weights and loss scaling."""

from typing import TypeVar

import jax
import jax.numpy as jnp
from beartype import beartype

from jaxtyping_core.typing import Array, BFloat16, Float32

B = TypeVar("B", bound=int)
I = TypeVar("I", bound=int)
O = TypeVar("O", bound=int)


@beartype
def linear(x: BFloat16[B, I], w: Float32[I, O]) -> BFloat16[B, O]:
    return x @ w.astype(jnp.bfloat16)


@beartype
def rms_norm(x: BFloat16[B, I], scale: Float32[I]) -> BFloat16[B, I]:
    wide = x.astype(jnp.float32)
    variance = jnp.mean(jnp.square(wide), axis=-1, keepdims=True)
    normed = wide * jax.lax.rsqrt(variance + 1e-6) * scale
    return normed.astype(x.dtype)


def mean_squared(prediction: BFloat16[B, O], target: Float32[B, O]) -> Float32[()]:
    error = prediction.astype(jnp.float32) - target
    return jnp.mean(error**2)


def loss_fn(
    w: Float32[I, O], scale: Float32[I], x: BFloat16[B, I], target: Float32[B, O], loss_scale: Float32[()]
) -> Float32[()]:
    hidden = rms_norm(x, scale)
    prediction = linear(hidden, w)
    return mean_squared(prediction, target) * loss_scale


@jax.jit
def update(w: Float32[I, O], scale: Float32[I], x: Array, y: Array, loss_scale: Array) -> tuple[Array, Array, Array]:
    dw, dscale = jax.grad(loss_fn, argnums=(0, 1))(w, scale, x, y, loss_scale)
    dw = dw / loss_scale
    dscale = dscale / loss_scale
    finite = jnp.isfinite(dw).all() & jnp.isfinite(dscale).all()
    w = jnp.where(finite, w - 0.01 * dw, w)
    scale = jnp.where(finite, scale - 0.01 * dscale, scale)
    loss_scale = jnp.where(finite, loss_scale * 2, loss_scale / 2)
    return w, scale, loss_scale


key = jax.random.key(0)
x = jax.random.normal(key, (8, 16), dtype=jnp.bfloat16)
y = jnp.tanh(x.astype(jnp.float32)[:, :4])
w = jnp.zeros((16, 4))
scale = jnp.ones(16)
loss_scale = jnp.array(2.0**10, dtype=jnp.float32)
for _ in range(5):
    w, scale, loss_scale = update(w, scale, x, y, loss_scale)

prediction = linear(rms_norm(x, scale), w)
error = mean_squared(prediction, y)
print(prediction.dtype, error, loss_scale)
