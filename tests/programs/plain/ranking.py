"""Retrieval: sort, top_k, take_along_axis, segments, masks, at-updates, beam search by hand."""

import jax
import jax.numpy as jnp
import numpy as np

QUERIES, DOCUMENTS, WIDTH = 4, 12, 6

rng = np.random.default_rng(0)
queries = jnp.array(rng.normal(size=(QUERIES, WIDTH)), jnp.float32)
documents = jnp.array(rng.normal(size=(DOCUMENTS, WIDTH)), jnp.float32)
relevance = jnp.array(rng.integers(0, 3, (QUERIES, DOCUMENTS)))
owner = jnp.array(rng.integers(0, 5, DOCUMENTS))


def cosine(a, b):
    a = a / jnp.linalg.norm(a, axis=-1, keepdims=True)
    b = b / jnp.linalg.norm(b, axis=-1, keepdims=True)
    return a @ b.T


def ndcg(scores, gains, k=None):
    order = jnp.argsort(-scores, axis=-1)
    ranked = jnp.take_along_axis(gains, order, axis=-1)[:, :k]
    ideal = jnp.sort(gains, axis=-1)[:, ::-1][:, :k]
    discount = 1.0 / jnp.log2(jnp.arange(ranked.shape[-1]) + 2)
    dcg = (2.0**ranked - 1) @ discount
    best = (2.0**ideal - 1) @ discount
    return dcg / jnp.maximum(best, 1e-9)


def reciprocal_rank(scores, gains):
    ranks = 1 + jnp.argsort(jnp.argsort(-scores))
    return jnp.max(jnp.where(gains > 1, 1 / ranks, 0.0))


def pairwise_loss(w, queries, documents, gains):
    scores = (queries * w) @ documents.T
    difference = scores[:, :, None] - scores[:, None, :]
    preferred = gains[:, :, None] > gains[:, None, :]
    losses = jax.nn.softplus(-difference)
    return jnp.sum(losses * preferred) / preferred.sum()


def beam_search(transition, start, width, steps):
    sequences = jnp.full((width, steps + 1), -1).at[:, 0].set(start)
    scores = jnp.full(width, -jnp.inf).at[0].set(0.0)
    states = transition.shape[0]
    for t in range(steps):
        candidates = scores[:, None] + transition[sequences[:, t]]
        scores, flat = jax.lax.top_k(candidates.ravel(), width)
        parents, tokens = jnp.divmod(flat, states)
        sequences = sequences[parents].at[:, t + 1].set(tokens)
    return sequences, scores


scores = cosine(queries, documents)
values, indices = jax.lax.top_k(scores, 3)
quality = ndcg(scores, relevance)
at_three = ndcg(scores, relevance, k=3)
mrr = jax.vmap(reciprocal_rank)(scores, relevance).mean()
w = jnp.ones(WIDTH)
for _ in range(10):
    w = w - 0.5 * jax.grad(pairwise_loss)(w, queries, documents, relevance)
learned = ndcg((queries * w) @ documents.T, relevance)
per_owner = jax.ops.segment_sum(documents, owner, num_segments=5)
sizes = jnp.zeros(5, int).at[owner].add(1)
largest = jax.ops.segment_max(scores[0], owner, 5)
log_p = jax.nn.log_softmax(jnp.array(rng.normal(size=(7, 7))))
sequences, beam_scores = beam_search(log_p, start=2, width=3, steps=4)
banned = scores.at[:, 0].set(-jnp.inf).at[1, 2:5].multiply(2.0).at[..., -1].min(0)
median = jnp.median(scores, axis=0)
ties = jnp.isclose(scores, values[:, :1]).any(axis=1)
clipped = jnp.clip(scores, -0.5, 0.5)
buckets = jnp.digitize(scores, jnp.array([-0.5, 0.0, 0.5]))
upper = scores[:, : QUERIES][jnp.triu_indices(QUERIES, k=1)]
mixed = jnp.select([scores > 0.5, scores < -0.5], [1, -1], default=0)
diagonal = jnp.diag(scores @ scores.T)
rolled = jnp.roll(scores, shift=(1, 2), axis=(0, 1))[::2, ..., None]
print(values.shape, indices[0], quality, at_three, mrr, learned, per_owner.shape, sizes, largest.shape)
print(sequences, beam_scores, banned.shape, median.shape, ties, buckets.dtype, upper.shape, mixed.dtype, rolled.shape)
