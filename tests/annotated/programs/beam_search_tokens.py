"""A beam search over a bigram model: scores, back pointers and token ids in int32."""

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jaxtyping import Array, Bool, Float, Int32

EOS = 0


class Beam(NamedTuple):
    tokens: Int32[Array, "beam length"]
    scores: Float[Array, "beam"]
    done: Bool[Array, "beam"]


def expand(
    scores: Float[Array, "beam"], log_probs: Float[Array, "beam vocab"], done: Bool[Array, "beam"]
) -> Float[Array, "beam*vocab"]:
    frozen = jnp.full(log_probs.shape[1], -jnp.inf).at[EOS].set(0.0)
    steps = jnp.where(done[:, None], frozen, log_probs)
    return (scores[:, None] + steps).reshape(-1)


def split_index(flat: Int32[Array, "beam"], vocab: int) -> tuple[Int32[Array, "beam"], Int32[Array, "beam"]]:
    return flat // vocab, flat % vocab


def advance(beam: Beam, model: Float[Array, "vocab vocab"], position: Int32[Array, ""]) -> Beam:
    width, vocab = beam.scores.shape[0], model.shape[0]
    last = beam.tokens[:, position - 1]
    candidates = expand(beam.scores, model[last], beam.done)
    scores, flat = jax.lax.top_k(candidates, width)
    parent, token = split_index(flat, vocab)
    tokens = beam.tokens[parent].at[:, position].set(token)
    return Beam(tokens, scores, beam.done[parent] | (token == EOS))


def search(model: Float[Array, "vocab vocab"], start: int, width: int, length: int) -> Beam:
    tokens = jnp.zeros((width, length), jnp.int32).at[:, 0].set(start)
    scores = jnp.full(width, -jnp.inf).at[0].set(0.0)
    beam = Beam(tokens, scores, jnp.zeros(width, bool))

    def proceed(state: tuple[Int32[Array, ""], Beam]) -> Bool[Array, ""]:
        position, beam = state
        return (position < length) & ~beam.done.all()

    def step(state: tuple[Int32[Array, ""], Beam]) -> tuple[Int32[Array, ""], Beam]:
        position, beam = state
        return position + 1, advance(beam, model, position)

    return jax.lax.while_loop(proceed, step, (jnp.int32(1), beam))[1]


model = jax.nn.log_softmax(2.0 * jax.random.normal(jax.random.key(0), (7, 7)))
best = search(model, start=3, width=4, length=5)
print(best.tokens, best.scores)
