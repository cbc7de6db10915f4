"""Sentences of different lengths: one function called with many shapes, padding, masks, growing lists."""

import collections

import jax
import jax.numpy as jnp
import numpy as np

SENTENCES = """a cat sat on the mat
the dog barked
every good boy does fine
time flies
a rolling stone gathers no moss at all""".splitlines()

counts = collections.Counter(word for s in SENTENCES for word in s.split())
vocabulary = ["<pad>"] + [word for word, _ in counts.most_common()]
index = {word: i for i, word in enumerate(vocabulary)}
ids = [np.array([index[w] for w in s.split()]) for s in SENTENCES]


def pad(sequence, length, value=0):
    missing = length - len(sequence)
    return np.pad(sequence, (0, missing), constant_values=value)


def collate(sequences):
    longest = max(map(len, sequences))
    padded = np.stack([pad(s, longest) for s in sequences])
    mask = padded != 0
    return padded, mask


def buckets(sequences, limit):
    """Batches of sequences of similar length, at most `limit` tokens each."""
    batch = []
    for s in sorted(sequences, key=len):
        if batch and (len(batch) + 1) * len(s) > limit:
            yield collate(batch)
            batch = []
        batch.append(s)
    if batch:
        yield collate(batch)


def embed(table, tokens):
    return table[tokens]


def pool(x, mask):
    weights = mask / mask.sum(axis=-1, keepdims=True)
    return jnp.einsum("...nd,...n->...d", x, weights)


def score(table, tokens, mask=None):
    x = embed(table, tokens)
    if mask is None:
        mask = jnp.ones(tokens.shape, bool)
    pooled = pool(x, mask)
    return pooled / jnp.linalg.norm(pooled, axis=-1, keepdims=True)


table = jax.random.normal(jax.random.PRNGKey(0), (len(vocabulary), 12))
vectors = []
for sentence in ids:
    v = score(table, sentence)
    vectors.append(v)
one_by_one = jnp.stack(vectors)

grouped = []
shapes = []
for tokens, mask in buckets(ids, limit=14):
    grouped.append(jax.jit(score)(table, tokens, mask))
    shapes.append(tokens.shape)
batched = jnp.concatenate(grouped)
similarity = one_by_one @ one_by_one.T
by_length = one_by_one[jnp.argsort(jnp.array([len(s) for s in ids]), stable=True)]
assert jnp.allclose(by_length, batched, atol=1e-5)

history = jnp.zeros((0, 12))
for v in vectors:
    history = jnp.concatenate([history, v[None]])
    centre = history.mean(0)
longest, mask = collate(ids)
masked = jnp.where(mask[..., None], embed(table, longest), -jnp.inf).max(axis=1)
lengths = jnp.asarray(mask).sum(1)
last = jnp.take_along_axis(longest, (lengths - 1)[:, None], axis=1).squeeze(1)
words = [vocabulary[i] for i in last]
print(shapes, similarity.shape, history.shape, masked.shape, words, centre.shape)
