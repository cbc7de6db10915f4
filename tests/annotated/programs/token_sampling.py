"""Sampling of tokens with temperature, top-k and nucleus filters, one key to a sequence."""

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int, Key


def top_k_mask(logits: Float[Array, "b vocab"], k: int) -> Bool[Array, "b vocab"]:
    kth = jax.lax.top_k(logits, k)[0][:, -1:]
    return logits >= kth


def nucleus_mask(logits: Float[Array, "b vocab"], p: float) -> Bool[Array, "b vocab"]:
    order = jnp.argsort(-logits, axis=-1)
    probs = jnp.take_along_axis(jax.nn.softmax(logits, axis=-1), order, axis=-1)
    kept = jnp.cumsum(probs, axis=-1) - probs < p
    return jnp.take_along_axis(kept, jnp.argsort(order, axis=-1), axis=-1)


def sample(
    keys: Key[Array, "b"],
    logits: Float[Array, "b vocab"],
    *,
    temperature: float = 1.0,
    k: int | None = None,
    p: float | None = None,
) -> Int[Array, "b"]:
    logits = logits / temperature
    if k is not None:
        logits = jnp.where(top_k_mask(logits, k), logits, -jnp.inf)
    if p is not None:
        logits = jnp.where(nucleus_mask(logits, p), logits, -jnp.inf)
    return jax.vmap(jax.random.categorical)(keys, logits)


def generate(
    key: Key[Array, ""], model: Float[Array, "vocab vocab"], prompt: Int[Array, "b"], steps: int
) -> Int[Array, "b {steps}"]:
    def step(tokens: Int[Array, "b"], keys: Key[Array, "b"]) -> tuple[Int[Array, "b"], Int[Array, "b"]]:
        tokens = sample(keys, model[tokens], temperature=0.8, k=5, p=0.9)
        return tokens, tokens

    keys = jax.random.split(key, (steps, prompt.shape[0]))
    _, tokens = jax.lax.scan(step, prompt, keys)
    return tokens.T


def repetition_rate(tokens: Int[Array, "b t"]) -> Float[Array, "b"]:
    return jnp.mean(tokens[:, 1:] == tokens[:, :-1], axis=1)


model = 2.0 * jax.random.normal(jax.random.key(0), (9, 9))
tokens = generate(jax.random.key(1), model, jnp.array([1, 4, 7]), steps=6)
print(tokens, repetition_rate(tokens))
