"""Layers as plain classes that keep their weights in attributes."""

from typing import Literal as L
from typing import TypeVar

import jax
import jax.numpy as jnp

from jaxtyping_core.typing import Array, Float32, Int32

B = TypeVar("B", bound=int)
T = TypeVar("T", bound=int)


class Embedding:
    def __init__(self, key: Array, vocabulary: int) -> None:
        self.table: Float32[int, L[16]] = jax.random.normal(key, (vocabulary, 16)) * 0.02

    def __call__(self, tokens: Int32[B, T]) -> Float32[B, T, L[16]]:
        return self.table[tokens]


class Dense:
    def __init__(self, key: Array) -> None:
        self.w = jax.random.normal(key, (16, 16)) / 4.0
        self.b = jnp.zeros(16)

    def __call__(self, x: Float32[B, T, L[16]]) -> Float32[B, T, L[16]]:
        y = x @ self.w + self.b
        return jax.nn.gelu(y)


class Normalize:
    def __init__(self) -> None:
        self.scale = jnp.ones(16)
        self.offset = jnp.zeros(16)

    def __call__(self, x: Float32[B, T, L[16]]) -> Float32[B, T, L[16]]:
        mean = x.mean(axis=-1, keepdims=True)
        variance = x.var(axis=-1, keepdims=True)
        return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * self.scale + self.offset


class Model:
    def __init__(self, key: Array, vocabulary: int, depth: int) -> None:
        key, embedding_key = jax.random.split(key)
        self.embedding = Embedding(embedding_key, vocabulary)
        self.layers = [Dense(k) for k in jax.random.split(key, depth)]
        self.normalize = Normalize()

    def hidden(self, tokens: Int32[B, T]) -> Float32[B, T, L[16]]:
        h = self.embedding(tokens)
        for layer in self.layers:
            h = h + layer(self.normalize(h))
        return self.normalize(h)

    def logits(self, tokens: Int32[B, T]) -> Array:
        h = self.hidden(tokens)
        return h @ self.embedding.table.T


model = Model(jax.random.key(0), vocabulary=23, depth=2)
tokens = jax.random.randint(jax.random.key(1), (3, 7), 0, 23)
logits = jax.jit(model.logits)(tokens)
shifted = jax.nn.log_softmax(logits[:, :-1])
nll = -jnp.take_along_axis(shifted, tokens[:, 1:, None], axis=2).mean()
pooled = model.hidden(tokens).mean(axis=1)
similarity = pooled @ pooled.T
print(nll, similarity, model.layers[0].b.dtype)
