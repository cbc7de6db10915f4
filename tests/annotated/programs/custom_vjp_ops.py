"""Operations with gradients of their own: a clipped identity and a straight-through quantizer."""

from functools import partial

import jax
import jax.numpy as jnp
from jaxtyping import Array, Float, Int


@partial(jax.custom_vjp, nondiff_argnums=(1,))
def clip_gradient(x: Float[Array, "*shape"], limit: float) -> Float[Array, "*shape"]:
    return x


def clip_forward(x: Float[Array, "*shape"], limit: float) -> tuple[Float[Array, "*shape"], None]:
    return x, None


def clip_backward(limit: float, _: None, g: Float[Array, "*shape"]) -> tuple[Float[Array, "*shape"]]:
    return (jnp.clip(g, -limit, limit),)


clip_gradient.defvjp(clip_forward, clip_backward)


def nearest_code(z: Float[Array, "n d"], codebook: Float[Array, "codes d"]) -> Int[Array, "n"]:
    sq = jnp.sum((z[:, None] - codebook[None]) ** 2, axis=-1)
    return jnp.argmin(sq, axis=1)


def quantize(z: Float[Array, "n d"], codebook: Float[Array, "codes d"]) -> Float[Array, "n d"]:
    chosen = codebook[nearest_code(z, codebook)]
    return z + jax.lax.stop_gradient(chosen - z)


def loss(
    params: dict[str, Float[Array, "_ d"]], x: Float[Array, "n f"], target: Float[Array, "n d"]
) -> Float[Array, ""]:
    z = clip_gradient(x @ params["encoder"], 0.05)
    codebook = jax.lax.stop_gradient(params["codebook"])
    commitment = jnp.mean((codebook[nearest_code(z, codebook)] - z) ** 2)
    return jnp.mean((quantize(z, codebook) - target) ** 2) + 0.25 * commitment


x_key, w_key, c_key = jax.random.split(jax.random.key(0), 3)
x = jax.random.normal(x_key, (8, 5))
params = {"encoder": jax.random.normal(w_key, (5, 3)), "codebook": jax.random.normal(c_key, (6, 3))}
value, grads = jax.value_and_grad(loss)(params, x, jnp.tanh(x[:, :3]))
print(value, jnp.abs(grads["encoder"]).max())
