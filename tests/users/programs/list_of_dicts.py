"""A transformer-like stack whose layers are dicts in a list, filled key by key."""

import jax
import jax.numpy as jnp

depth, dim, vocab, seq = 2, 8, 13, 6
key = jax.random.PRNGKey(0)

params = {}
key, subkey = jax.random.split(key)
params["embed"] = jax.random.normal(subkey, (vocab, dim)) * 0.1
params["pos"] = jnp.zeros((seq, dim))
params["layers"] = []
for i in range(depth):
    key, k1, k2, k3 = jax.random.split(key, 4)
    layer = {}
    layer["qkv"] = jax.random.normal(k1, (dim, 3 * dim)) * 0.1
    layer["proj"] = jax.random.normal(k2, (dim, dim)) * 0.1
    layer["mlp"] = jax.random.normal(k3, (dim, dim)) * 0.1
    params["layers"].append(layer)


def block(layer, x):
    q, k, v = jnp.split(x @ layer["qkv"], 3, axis=-1)
    att = jax.nn.softmax(q @ k.swapaxes(-1, -2) / jnp.sqrt(dim))
    x = x + att @ v @ layer["proj"]
    return x + jax.nn.relu(x @ layer["mlp"])


def model(params, tokens):
    x = params["embed"][tokens] + params["pos"]
    for layer in params["layers"]:
        x = block(layer, x)
    return x @ params["embed"].T


def loss(params, tokens):
    logits = model(params, tokens)
    logp = jax.nn.log_softmax(logits[:, :-1])
    return -jnp.take_along_axis(logp, tokens[:, 1:, None], axis=-1).mean()


tokens = jax.random.randint(key, (4, seq), 0, vocab)
step = jax.jit(jax.value_and_grad(loss))
for _ in range(2):
    value, grads = step(params, tokens)
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
    print("loss", value)

one_hot = jax.nn.one_hot(tokens, vocab)
unigram = one_hot.mean(axis=(0, 1))
bigram = jnp.einsum("bti,btj->ij", one_hot[:, :-1], one_hot[:, 1:])
conditional = bigram / jnp.maximum(bigram.sum(axis=1, keepdims=True), 1.0)
expected = unigram @ conditional
perplexity = jnp.exp(-jnp.sum(unigram * jnp.log(unigram + 1e-9)))
print("perplexity", perplexity, "expected", expected.sum())
