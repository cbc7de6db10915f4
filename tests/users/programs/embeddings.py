"""Skip-gram word vectors with negative sampling."""

from typing import TypedDict

import jax
import jax.numpy as jnp


class Params(TypedDict):
    words: jax.Array
    contexts: jax.Array


TEXT = "the cat sat on the mat and the dog sat on the log while the cat saw the dog"


def init(key: jax.Array, vocabulary: int, dim: int) -> Params:
    k1, k2 = jax.random.split(key)
    return {
        "words": jax.random.uniform(k1, (vocabulary, dim), minval=-0.5, maxval=0.5),
        "contexts": jax.random.uniform(k2, (vocabulary, dim), minval=-0.5, maxval=0.5),
    }


def loss(params: Params, center: jax.Array, context: jax.Array, negatives: jax.Array) -> jax.Array:
    v = params["words"][center]
    u = params["contexts"][context]
    n = params["contexts"][negatives]
    positive = jax.nn.log_sigmoid(jnp.sum(u * v, axis=-1))
    negative = jax.nn.log_sigmoid(-jnp.einsum("bd,bkd->bk", v, n)).sum(axis=1)
    return -jnp.mean(positive + negative)


@jax.jit
def step(params: Params, center: jax.Array, context: jax.Array, key: jax.Array) -> tuple[Params, jax.Array]:
    shape = (center.shape[0], 5)
    negatives = jax.random.randint(key, shape, 0, params["words"].shape[0])
    value, grads = jax.value_and_grad(loss)(params, center, context, negatives)
    return jax.tree.map(lambda p, g: p - 0.5 * g, params, grads), value


def nearest(table: jax.Array, query: jax.Array, k: int) -> tuple[jax.Array, jax.Array]:
    table = table / jnp.linalg.norm(table, axis=1, keepdims=True)
    query = query / jnp.linalg.norm(query)
    similarity = table @ query
    values, indices = jax.lax.top_k(similarity, k)
    return values, indices


words = TEXT.split()
vocabulary = sorted(set(words))
ids = jnp.array([vocabulary.index(word) for word in words])
centers = jnp.concatenate([ids[1:], ids[:-1]])
contexts = jnp.concatenate([ids[:-1], ids[1:]])
counts = jnp.bincount(ids, length=len(vocabulary))
frequency = counts / counts.sum()

params = init(jax.random.key(0), len(vocabulary), 8)
for i in range(5):
    params, value = step(params, centers, contexts, jax.random.fold_in(jax.random.key(1), i))

similarity, indices = nearest(params["words"], params["words"][vocabulary.index("cat")], 3)
codes = jax.nn.one_hot(jnp.array([0, 2, 1]), 4)
table = jnp.arange(12.0).reshape(4, 3)
vectors = codes @ table
print(value, [vocabulary[int(i)] for i in indices], similarity, frequency, vectors)
