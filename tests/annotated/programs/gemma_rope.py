"""Rotary position embeddings over packed sequences of tokens."""

import jax
import jax.numpy as jnp
import jaxtyping as jt


def inverse_frequencies(head_dim: int, max_wavelength: float = 10_000.0) -> jt.Float[jt.Array, "half"]:
    exponents = jnp.arange(0, head_dim, 2) / head_dim
    return max_wavelength**-exponents


def apply_rope(
    x: jt.Float[jt.Array, "b t heads head_dim"],
    positions: jt.Int[jt.Array, "b t"],
    *,
    max_wavelength: float = 10_000.0,
) -> jt.Float[jt.Array, "b t heads head_dim"]:
    freqs = inverse_frequencies(x.shape[-1], max_wavelength)
    angles = positions[..., None] * freqs
    sin, cos = jnp.sin(angles)[:, :, None, :], jnp.cos(angles)[:, :, None, :]
    first, second = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


def positions_from_mask(mask: jt.Bool[jt.Array, "b t"]) -> jt.Int[jt.Array, "b t"]:
    return jnp.maximum(jnp.cumsum(mask, axis=-1) - 1, 0)


def rotated_scores(
    q: jt.Float[jt.Array, "b t heads head_dim"],
    k: jt.Float[jt.Array, "b t heads head_dim"],
    mask: jt.Bool[jt.Array, "b t"],
) -> jt.Float[jt.Array, "b heads t t"]:
    positions = positions_from_mask(mask)
    q, k = apply_rope(q, positions), apply_rope(k, positions)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k)
    return jnp.where(mask[:, None, None, :], scores, -1e30)


q_key, k_key = jax.random.split(jax.random.key(0))
q = jax.random.normal(q_key, (2, 5, 3, 8))
k = jax.random.normal(k_key, (2, 5, 3, 8))
lengths = jnp.array([5, 3])
mask = jnp.arange(5) < lengths[:, None]
print(jax.nn.softmax(rotated_scores(q, k, mask), axis=-1)[0, 0])
