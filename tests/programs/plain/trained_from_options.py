"""A small language model, trained as scripts are: options, a text read by its path, a schedule of unknown length."""

import argparse
import functools
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax


class Corpus:
    def __init__(self, path):
        text = Path(path).read_text()
        self.chars = sorted(set(text))
        index = {c: i for i, c in enumerate(self.chars)}
        self.data = np.array([index[c] for c in text], dtype=np.int32)

    def batch(self, rng, size, length):
        starts = rng.integers(0, len(self.data) - length - 1, size=size)
        rows = np.stack([self.data[i : i + length + 1] for i in starts])
        return jnp.asarray(rows[:, :-1]), jnp.asarray(rows[:, 1:])


def init(key, vocab, width):
    embed, out = jax.random.split(key)
    table = jax.random.normal(embed, (vocab, width)) * 0.02
    return {"embed": table, "out": {"w": jax.random.normal(out, (width, vocab)), "b": jnp.zeros(vocab)}}


def logits_of(params, tokens, dtype):
    x = params["embed"][tokens].astype(dtype)
    mean = jnp.cumsum(x, axis=1) / jnp.arange(1, x.shape[1] + 1)[None, :, None]
    h = jax.nn.gelu(x + mean)
    return h @ params["out"]["w"] + params["out"]["b"]


def loss_fn(params, tokens, targets, dtype):
    logits = logits_of(params, tokens, dtype)
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, targets)
    return losses.mean()


def make_step(optimizer, dtype):
    @jax.jit
    def step(params, state, tokens, targets):
        loss, grads = jax.value_and_grad(loss_fn)(params, tokens, targets, dtype)
        norm = optax.global_norm(grads)
        updates, state = optimizer.update(grads, state, params)
        return optax.apply_updates(params, updates), state, loss, norm

    return step


@functools.partial(jax.jit, static_argnames="dtype")
def accuracy(params, tokens, targets, dtype):
    hits = logits_of(params, tokens, dtype).argmax(-1) == targets
    return hits.mean()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, default=Path(__file__).parent / "trained_from_options.py")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--warmup", type=int, default=4)
    parser.add_argument("--lr", type=float, default=1e-2)
    args = parser.parse_args()

    corpus = Corpus(args.data)
    params = init(jax.random.key(0), len(corpus.chars), 16)
    schedule = optax.warmup_cosine_decay_schedule(0.0, args.lr, args.warmup, args.steps)
    optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(schedule, weight_decay=0.1))
    state = optimizer.init(params)
    step = make_step(optimizer, "bfloat16")
    rng = np.random.default_rng(0)
    for i in range(args.steps):
        tokens, targets = corpus.batch(rng, 8, 12)
        params, state, loss, norm = step(params, state, tokens, targets)
        if i % 10 == 0:
            rate = schedule(i)
            hits = accuracy(params, tokens, targets, "bfloat16")
            print(f"{i} {loss:.3f} {norm:.3f} {hits:.3f} {rate:.4f}")
    table = params["embed"]
    print(table.shape)


if __name__ == "__main__":
    main()
