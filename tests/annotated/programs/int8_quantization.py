"""Quantization of weights to int8, a scale for each block of rows."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int8, Int32

Quantized = tuple[Int8[Array, "n m"], Float[Array, "1 m"]]


def quantize(w: Float[Array, "n m"]) -> Quantized:
    scale = jnp.max(jnp.abs(w), axis=0, keepdims=True) / 127.0
    q = jnp.clip(jnp.round(w / scale), -127, 127).astype(jnp.int8)
    return q, scale


def dequantize(q: Int8[Array, "n m"], scale: Float[Array, "#n #m"]) -> Float[Array, "n m"]:
    return q.astype(jnp.float32) * scale


def quantize_rows(x: Float[Array, "b n"]) -> tuple[Int8[Array, "b n"], Float[Array, "b 1"]]:
    scale = jnp.max(jnp.abs(x), axis=1, keepdims=True) / 127.0
    return jnp.round(x / scale).astype(jnp.int8), scale


def int_matmul(x: Int8[Array, "b n"], w: Int8[Array, "n m"]) -> Int32[Array, "b m"]:
    return jax.lax.dot_general(x, w, (((1,), (0,)), ((), ())), preferred_element_type=jnp.int32)


def quantized_dense(x: Float[Array, "b n"], w: Quantized) -> Float[Array, "b m"]:
    x_int, x_scale = quantize_rows(x)
    w_int, w_scale = w
    return int_matmul(x_int, w_int) * x_scale * w_scale


def block_quantize(
    w: Float[Array, "n m"], block: int
) -> tuple[Int8[Array, "blocks {block} m"], Float[Array, "blocks 1 m"]]:
    n, m = w.shape
    blocked = w.reshape(n // block, block, m)
    scale = jnp.max(jnp.abs(blocked), axis=1, keepdims=True) / 127.0
    return jnp.round(blocked / scale).astype(jnp.int8), scale


w = jax.random.normal(jax.random.key(0), (8, 5))
x = jax.random.normal(jax.random.key(1), (3, 8))
error = jnp.abs(quantized_dense(x, quantize(w)) - x @ w).max()
q, scale = block_quantize(w, 4)
restored = dequantize(*quantize(w))
print(error, q.dtype, scale.shape, jnp.abs(restored - w).max())
