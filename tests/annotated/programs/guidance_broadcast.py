"""Conditional denoising with classifier-free guidance; embeddings broadcast over the batch."""

import jax
import jax.numpy as jnp
from jaxtyping import Array
from jaxtyping import Bool as B  # noqa: N817
from jaxtyping import Float as F  # noqa: N817


def modulate(
    x: F[Array, "*#batch d"], shift: F[Array, "*#batch d"], scale: F[Array, "*#batch d"]
) -> F[Array, "*batch d"]:
    return x * (1 + scale) + shift


def time_embedding(t: F[Array, "b"], width: int) -> F[Array, "b {width}"]:
    frequencies = jnp.exp(-jnp.linspace(0.0, 6.0, width // 2))
    angles = t[:, None] * frequencies
    return jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], axis=-1)


def denoise(
    params: dict[str, F[Array, "_ _"]],
    x: F[Array, "b tokens d"],
    t: F[Array, "b"],
    text: F[Array, "b e"] | None = None,
    keep_text: B[Array, "b"] | None = None,
) -> F[Array, "b tokens d"]:
    embedded = time_embedding(t, params["time"].shape[0]) @ params["time"]
    if text is not None:
        conditioned = text @ params["text"]
        if keep_text is not None:
            conditioned = jnp.where(keep_text[:, None], conditioned, 0.0)
        embedded = embedded + conditioned
    shift, scale = jnp.split(embedded, 2, axis=-1)
    return jnp.tanh(modulate(x, shift[:, None, :], scale[:, None, :])) @ params["out"]


def guided(
    params: dict[str, F[Array, "_ _"]],
    x: F[Array, "b tokens d"],
    t: F[Array, "b"],
    text: F[Array, "b e"],
    *,
    weight: float = 2.0,
) -> F[Array, "b tokens d"]:
    with_text = denoise(params, x, t, text)
    without = denoise(params, x, t)
    return without + weight * (with_text - without)


keys = jax.random.split(jax.random.key(0), 5)
sizes = {"time": (10, 8), "text": (6, 8), "out": (4, 4)}
params = {n: 0.3 * jax.random.normal(k, s) for k, (n, s) in zip(keys[:3], sizes.items(), strict=True)}
x = jax.random.normal(keys[3], (2, 5, 4))
text = jax.random.normal(keys[4], (2, 6))
t = jnp.array([0.1, 0.8])
dropped = denoise(params, x, t, text, jnp.array([True, False]))
print(guided(params, x, t, text).mean(), dropped.mean())
