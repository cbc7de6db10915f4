"""Beam search over a random Markov model, batched."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import lax


class Beams(NamedTuple):
    tokens: jax.Array
    scores: jax.Array


def expand(transitions: jax.Array, beams: Beams, position: jax.Array) -> Beams:
    batch, width, _ = beams.tokens.shape
    vocabulary = transitions.shape[0]
    last = lax.dynamic_index_in_dim(beams.tokens, position, axis=2, keepdims=False)
    candidates = beams.scores[:, :, None] + transitions[last]
    flat = candidates.reshape(batch, width * vocabulary)
    scores, chosen = lax.top_k(flat, width)
    parents, tokens = jnp.divmod(chosen, vocabulary)
    history = jnp.take_along_axis(beams.tokens, parents[:, :, None], axis=1)
    history = lax.dynamic_update_index_in_dim(history, tokens, position + 1, axis=2)
    return Beams(history, scores)


def search(transitions: jax.Array, batch: int, width: int, steps: int) -> Beams:
    tokens = jnp.zeros((batch, width, steps + 1), dtype=jnp.int32)
    scores = jnp.where(jnp.arange(width) == 0, 0.0, -jnp.inf)
    scores = jnp.broadcast_to(scores, (batch, width))

    def body(position: jax.Array, beams: Beams) -> Beams:
        return expand(transitions, beams, position)

    return lax.fori_loop(0, steps, body, Beams(tokens, scores))


def greedy(transitions: jax.Array, steps: int) -> jax.Array:
    def body(token: jax.Array, _: None) -> tuple[jax.Array, jax.Array]:
        following = jnp.argmax(transitions[token])
        return following, following

    _, path = lax.scan(body, jnp.array(0), None, length=steps)
    return path


VOCABULARY, WIDTH = 11, 3
logits = jax.random.normal(jax.random.key(0), (VOCABULARY, VOCABULARY))
transitions = jax.nn.log_softmax(logits, axis=-1)
beams = search(transitions, batch=2, width=WIDTH, steps=5)
best = beams.tokens[:, 0]
path = greedy(transitions, 5)

start = jnp.zeros((2, WIDTH))
first = start[:, :, None] + transitions[0]
flat = first.reshape(2, WIDTH * VOCABULARY)
top_scores, top_ids = lax.top_k(flat, WIDTH)
parent, token = top_ids // VOCABULARY, top_ids % VOCABULARY
length_penalty = ((5.0 + jnp.arange(WIDTH)) / 6.0) ** 0.6
penalized = top_scores / length_penalty
print(best, path, beams.scores, penalized, parent, token)
