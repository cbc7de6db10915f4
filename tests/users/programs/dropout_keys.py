"""Dropout, noise and shuffling with explicit random keys."""

from typing import TypeVar

import jax
import jax.numpy as jnp

from jaxtyping_core.typing import Array, Bool, Float32

B = TypeVar("B", bound=int)
D = TypeVar("D", bound=int)
H = TypeVar("H", bound=int)


def dropout(key: Array, x: Float32[B, D], rate: float) -> Float32[B, D]:
    keep = jax.random.bernoulli(key, 1.0 - rate, x.shape)
    return jnp.where(keep, x / (1.0 - rate), 0.0)


def drop_path(key: Array, x: Float32[B, D], rate: float) -> Float32[B, D]:
    keep = jax.random.bernoulli(key, 1.0 - rate, (x.shape[0], 1))
    return x * keep / (1.0 - rate)


def gumbel_choice(key: Array, logits: Float32[B, D], temperature: float) -> Float32[B, D]:
    noise = jax.random.gumbel(key, logits.shape)
    return jax.nn.softmax((logits + noise) / temperature, axis=-1)


def mixup(
    key: Array, x: Float32[B, D], y: Float32[B, H]
) -> tuple[Float32[B, D], Float32[B, H]]:
    ratio_key, order_key = jax.random.split(key)
    ratio = jax.random.beta(ratio_key, 0.2, 0.2, (x.shape[0], 1))
    order = jax.random.permutation(order_key, x.shape[0])
    return ratio * x + (1 - ratio) * x[order], ratio * y + (1 - ratio) * y[order]


def mask_tokens(key: Array, x: Float32[B, D], mask_value: Float32[D]) -> tuple[Float32[B, D], Bool[B]]:
    hidden = jax.random.uniform(key, (x.shape[0],)) < 0.15
    return jnp.where(hidden[:, None], mask_value, x), hidden


key = jax.random.key(0)
key, x_key, w_key = jax.random.split(key, 3)
x = jax.random.normal(x_key, (12, 6))
labels = jax.nn.one_hot(jnp.arange(12) % 3, 3)
w = jax.random.normal(w_key, (6, 3))

outputs = []
for _ in range(4):
    key, dropout_key, path_key = jax.random.split(key, 3)
    dropped = drop_path(path_key, dropout(dropout_key, x, 0.3), 0.1)
    outputs.append(dropped @ w)
ensemble = jnp.stack(outputs)
uncertainty = ensemble.std(axis=0)

key, mix_key, mask_key, choice_key = jax.random.split(key, 4)
mixed_x, mixed_y = mixup(mix_key, x, labels)
masked, hidden = mask_tokens(mask_key, mixed_x, jnp.zeros(6))
choice = gumbel_choice(choice_key, ensemble.mean(axis=0), 0.5)
agreement = jnp.sum(choice * mixed_y, axis=-1)
print(uncertainty.shape, hidden.sum(), agreement.mean(), masked.shape)
