"""A character model with a GRU cell in nested dicts, sampled with scan."""

import sys

import jax
import jax.numpy as jnp
from jax import lax, nn, random

TEXT = "the quick brown fox jumps over the lazy dog " * 20
CHARS = sorted(set(TEXT))


def encode(text):
    return jnp.array([CHARS.index(c) for c in text])


def decode(ids):
    return "".join(CHARS[i] for i in ids)


def dense_init(key, n_in, n_out):
    w = nn.initializers.glorot_uniform()(key, (n_in, n_out))
    return {"w": w, "b": jnp.zeros((n_out,))}


def dense(layer, x):
    return x @ layer["w"] + layer["b"]


def init(key, vocab, hidden):
    keys = random.split(key, 5)
    return {
        "embed": 0.1 * random.normal(keys[0], (vocab, hidden)),
        "update": dense_init(keys[1], 2 * hidden, hidden),
        "reset": dense_init(keys[2], 2 * hidden, hidden),
        "candidate": dense_init(keys[3], 2 * hidden, hidden),
        "out": dense_init(keys[4], hidden, vocab),
    }


def cell(params, h, x):
    both = jnp.concatenate([h, x], axis=-1)
    z = nn.sigmoid(dense(params["update"], both))
    r = nn.sigmoid(dense(params["reset"], both))
    candidate = jnp.tanh(dense(params["candidate"], jnp.concatenate([r * h, x], axis=-1)))
    return (1 - z) * h + z * candidate


def unroll(params, h, tokens):
    xs = params["embed"][tokens]

    def step(h, x):
        h = cell(params, h, x)
        return h, h

    h, hs = lax.scan(step, h, xs)
    return h, dense(params["out"], hs)


def loss_fn(params, tokens):
    hidden = params["embed"].shape[1]
    h = jnp.zeros((tokens.shape[0], hidden))
    _, logits = unroll(params, h, tokens[:, :-1].T)
    targets = tokens[:, 1:].T
    log_probs = nn.log_softmax(logits)
    return -jnp.take_along_axis(log_probs, targets[..., None], -1).mean()


@jax.jit
def train_step(params, momentum, tokens, rate):
    loss, grads = jax.value_and_grad(loss_fn)(params, tokens)
    momentum = jax.tree.map(lambda m, g: 0.9 * m + g, momentum, grads)
    params = jax.tree.map(lambda p, m: p - rate * m, params, momentum)
    return params, momentum, loss


def get_batch(key, data, batch, length):
    starts = random.randint(key, (batch,), 0, len(data) - length)
    return data[starts[:, None] + jnp.arange(length)]


def sample(key, params, first, length, temperature=1.0):
    h = jnp.zeros(params["embed"].shape[1])

    def step(carry, key):
        h, token = carry
        h = cell(params, h, params["embed"][token])
        token = random.categorical(key, dense(params["out"], h) / temperature)
        return (h, token), token

    _, tokens = lax.scan(step, (h, first), random.split(key, length))
    return tokens


def main(batch=16, length=16, hidden=32):
    key = random.PRNGKey(0)
    data = encode(TEXT)
    params = init(key, len(CHARS), hidden)
    momentum = jax.tree.map(jnp.zeros_like, params)
    for step in range(4):
        key, sub = random.split(key)
        tokens = get_batch(sub, data, batch, length)
        params, momentum, loss = train_step(params, momentum, tokens, 0.1)
    print(loss, repr(decode(sample(key, params, jnp.array(0), 20).tolist())))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
