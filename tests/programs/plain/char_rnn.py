"""A character RNN by scan; sampling in a Python loop until a full stop is met."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

TEXT = """the quick brown fox jumps over the lazy dog. pack my box with five dozen liquor jugs.
how vexingly quick daft zebras jump. the five boxing wizards jump quickly."""
CHARS = sorted(set(TEXT))
STOI = {c: i for i, c in enumerate(CHARS)}
ITOS = {i: c for c, i in STOI.items()}
VOCAB, HIDDEN, LENGTH = len(CHARS), 48, 24


def encode(s):
    return np.array([STOI[c] for c in s], dtype=np.int32)


def decode(ids):
    return "".join(ITOS[int(i)] for i in ids)


def init(rng):
    k1, k2, k3 = jax.random.split(rng, 3)
    return dict(
        Wxh=0.1 * jax.random.normal(k1, (VOCAB, HIDDEN)),
        Whh=jnp.eye(HIDDEN) * 0.9,
        Why=0.1 * jax.random.normal(k2, (HIDDEN, VOCAB)),
        bh=jnp.zeros(HIDDEN),
        by=jnp.zeros(VOCAB),
        h0=0.01 * jax.random.normal(k3, (HIDDEN,)),
    )


def cell(params, h, token):
    x = jax.nn.one_hot(token, VOCAB)
    h = jnp.tanh(x @ params["Wxh"] + h @ params["Whh"] + params["bh"])
    return h, h @ params["Why"] + params["by"]


def run(params, tokens):
    def body(h, token):
        return cell(params, h, token)

    last, logits = lax.scan(body, params["h0"], tokens)
    return last, logits


def sequence_loss(params, tokens):
    _, logits = run(params, tokens[:-1])
    logp = jax.nn.log_softmax(logits, axis=-1)
    targets = tokens[1:]
    return -logp[jnp.arange(len(targets)), targets].mean()


def batch_loss(params, batch):
    return jax.vmap(sequence_loss, in_axes=(None, 0))(params, batch).mean()


def clip(grads, limit):
    norm = jnp.sqrt(sum(jnp.vdot(g, g) for g in jax.tree_util.tree_leaves(grads)))
    factor = jnp.minimum(1.0, limit / (norm + 1e-6))
    return jax.tree_util.tree_map(lambda g: g * factor, grads), norm


@jax.jit
def train_step(params, batch):
    loss, grads = jax.value_and_grad(batch_loss)(params, batch)
    grads, norm = clip(grads, 1.0)
    new_params = jax.tree_util.tree_map(lambda p, g: p - 0.5 * g, params, grads)
    return new_params, loss, norm


def batches(data, size, rng):
    while True:
        starts = rng.integers(0, len(data) - LENGTH - 1, size)
        yield np.stack([data[s : s + LENGTH + 1] for s in starts])


def sample(params, key, prompt="th", limit=40):
    h = params["h0"]
    for c in encode(prompt):
        h, logits = cell(params, h, c)
    out = list(encode(prompt))
    while len(out) < limit:
        key, sub = jax.random.split(key)
        token = jax.random.categorical(sub, logits)
        out.append(int(token))
        if ITOS[int(token)] == ".":
            break
        h, logits = cell(params, h, token)
    return decode(out)


data = encode(TEXT)
params = init(jax.random.PRNGKey(0))
loader = batches(data, 8, np.random.default_rng(0))
smooth = None
for i in range(30):
    batch = next(loader)
    params, loss, norm = train_step(params, batch)
    smooth = loss if smooth is None else 0.9 * smooth + 0.1 * loss
    if i % 10 == 0:
        print(i, float(loss), float(norm))
perplexity = jnp.exp(smooth)
print(repr(sample(params, jax.random.PRNGKey(2))), perplexity)
