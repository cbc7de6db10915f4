"""Momentum kept in bfloat16 with stochastic rounding, weights in float32."""

import jax
import jax.numpy as jnp
import optax
from jaxtyping import Array, BFloat16, Float32, PRNGKeyArray, UInt32


def stochastic_round(key: PRNGKeyArray, x: Float32[Array, "*shape"]) -> BFloat16[Array, "*shape"]:
    bits = jax.lax.bitcast_convert_type(x, jnp.uint32)
    noise: UInt32[Array, "*shape"] = jax.random.randint(key, x.shape, 0, 1 << 16).astype(jnp.uint32)
    rounded = (bits + noise) & jnp.uint32(0xFFFF0000)
    return jax.lax.bitcast_convert_type(rounded, jnp.float32).astype(jnp.bfloat16)


def momentum_step(
    key: PRNGKeyArray,
    w: Float32[Array, "n m"],
    velocity: BFloat16[Array, "n m"],
    grad: Float32[Array, "n m"],
    rate: float = 0.1,
) -> tuple[Float32[Array, "n m"], BFloat16[Array, "n m"]]:
    moved = 0.9 * velocity.astype(jnp.float32) + grad
    return w - rate * moved, stochastic_round(key, moved)


def loss(w: Float32[Array, "n m"], x: Float32[Array, "b n"], y: Float32[Array, "b m"]) -> Float32[Array, ""]:
    return optax.l2_loss(x @ w, y).mean()


def cast_like(x: Float32[Array, "*shape"], like: BFloat16[Array, "..."]) -> BFloat16[Array, "*shape"]:
    return x.astype(like.dtype)


x = jax.random.normal(jax.random.PRNGKey(0), (9, 4))
y = x @ jnp.arange(12.0).reshape(4, 3)
w = jnp.zeros((4, 3))
velocity = cast_like(w, jnp.zeros((), jnp.bfloat16))
gradient = jax.jit(jax.grad(loss))
for key in jax.random.split(jax.random.PRNGKey(1), 4):
    w, velocity = momentum_step(key, w, velocity, gradient(w, x, y))
print(loss(w, x, y), velocity.dtype)
