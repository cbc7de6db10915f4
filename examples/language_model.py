"""A character-level transformer language model and its training loop, in plain JAX.

Annotations give the exact shape of every parameter, and the types of every function's arguments and result.
Batch and time are variables. The rest is ordinary JAX. Run it:

    python examples/language_model.py --steps 1500
"""

import argparse
import math
import time
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar

import jax
import jax.numpy as jnp

from jaxtyping_core.typing import Array, BFloat16, Bool, Float32, Int32, float32

# Dims that vary from call to call: batch, time, width, features, vocabulary, heads, head width.
B = TypeVar("B")
T = TypeVar("T")
D = TypeVar("D")
F = TypeVar("F")
V = TypeVar("V")
H = TypeVar("H")
K = TypeVar("K")
N = TypeVar("N")
S = TypeVar("S", bound=tuple[Any, ...])  # a whole shape

# Dims that this model fixes: a type for annotations, and an equal number for code.
One = Literal[1]
Batch = Literal[24]
Context = Literal[48]
Width = Literal[64]
Hidden = Literal[256]
Heads = Literal[4]
HeadWidth = Literal[16]
Vocab = Literal[32]
BATCH: Final[Batch] = 24
CONTEXT: Final[Context] = 48
WIDTH: Final[Width] = 64
HIDDEN: Final[Hidden] = 256
HEADS: Final[Heads] = 4
HEAD_WIDTH: Final[HeadWidth] = 16
VOCAB: Final[Vocab] = 32

ALPHABET: Final = "\n abcdefghijklmnopqrstuvwxyz.,'?"  # VOCAB characters; a token is an index into it
CORPUS: Final = Path(__file__).with_name("corpus.txt")


class Block(NamedTuple):
    """The parameters of one layer: attention, then a two-layer network."""

    w_qkv: Float32[Width, Literal[192]]  # queries, keys and values side by side
    w_out: Float32[Width, Width]
    w_up: Float32[Width, Hidden]
    w_down: Float32[Hidden, Width]


class Model(NamedTuple):
    """All parameters; the embedding also gives the logits."""

    embedding: Float32[Vocab, Width]
    position: Float32[Context, Width]
    blocks: tuple[Block, Block]


class State(NamedTuple):
    """The state of training: the model, and Adam's two moments of its gradients."""

    model: Model
    mean: Model
    square: Model


def init_block(key: jax.Array) -> Block:
    """Draw the parameters of one layer, scaled to keep the variance of what passes through."""
    k_qkv, k_out, k_up, k_down = jax.random.split(key, 4)
    return Block(
        w_qkv=jax.random.normal(k_qkv, (WIDTH, 192)) / math.sqrt(WIDTH),
        w_out=jax.random.normal(k_out, (WIDTH, WIDTH)) * (0.5 / math.sqrt(WIDTH)),
        w_up=jax.random.normal(k_up, (WIDTH, HIDDEN)) / math.sqrt(WIDTH),
        w_down=jax.random.normal(k_down, (HIDDEN, WIDTH)) * (0.5 / math.sqrt(HIDDEN)),
    )


def init_model(key: jax.Array) -> Model:
    """Draw all parameters."""
    k_embedding, k_position, k_first, k_second = jax.random.split(key, 4)
    return Model(
        embedding=jax.random.normal(k_embedding, (VOCAB, WIDTH)) * 0.1,
        position=jax.random.normal(k_position, (CONTEXT, WIDTH)) * 0.1,
        blocks=(init_block(k_first), init_block(k_second)),
    )


def rms_norm(x: Float32[B, T, D]) -> Float32[B, T, D]:
    """Scale each position to unit mean square."""
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6)


def project(x: Float32[B, T, D], w: Float32[D, F]) -> BFloat16[B, T, F]:
    """Multiply in bfloat16; parameters and the residual stream stay float32."""
    return x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)


def causal_mask(scores: Float32[B, H, T, T]) -> Bool[T, T]:
    """The positions (columns) that each position (row) can see: itself and earlier ones."""
    return jnp.tril(jnp.ones(scores.shape[2:], dtype=bool))


def attend(q: BFloat16[B, H, T, K], k: BFloat16[B, H, T, K], v: BFloat16[B, H, T, K]) -> BFloat16[B, H, T, K]:
    """Mix the values of earlier positions; the softmax is computed in float32."""
    scores = (q @ k.swapaxes(-2, -1)).astype(jnp.float32) / math.sqrt(q.shape[-1])
    weights = jax.nn.softmax(jnp.where(causal_mask(scores), scores, -jnp.inf), axis=-1)
    return weights.astype(jnp.bfloat16) @ v


def attention(block: Block, x: Float32[B, T, Width]) -> Float32[B, T, Width]:
    """Multi-head self-attention, with one product for queries, keys and values."""
    b, t, _ = x.shape
    qkv = project(x, block.w_qkv).reshape(b, t, 3, HEADS, HEAD_WIDTH)
    q, k, v = qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2]
    mixed = attend(q.swapaxes(1, 2), k.swapaxes(1, 2), v.swapaxes(1, 2)).swapaxes(1, 2)
    return project(mixed.reshape(b, t, WIDTH).astype(jnp.float32), block.w_out).astype(jnp.float32)


def feed_forward(block: Block, x: Float32[B, T, Width]) -> Float32[B, T, Width]:
    """The two-layer network, applied to each position on its own."""
    hidden = jax.nn.gelu(project(x, block.w_up))
    return (hidden @ block.w_down.astype(jnp.bfloat16)).astype(jnp.float32)


def forward(model: Model, tokens: Int32[B, T]) -> Float32[B, T, Vocab]:
    """The logits of the next character at every position."""
    x = model.embedding[tokens] + model.position[jnp.arange(tokens.shape[1])]
    for block in model.blocks:
        x = x + attention(block, rms_norm(x))
        x = x + feed_forward(block, rms_norm(x))
    return jnp.einsum("btd,vd->btv", rms_norm(x), model.embedding)


def cross_entropy(logits: Float32[B, T, V], targets: Int32[B, T]) -> Float32[()]:
    """The mean negative log-likelihood of the targets, in nats."""
    log_probs = jax.nn.log_softmax(logits, axis=-1)
    picked = jnp.take_along_axis(log_probs, targets[:, :, None], axis=-1)
    return -jnp.mean(picked)


def loss_fn(model: Model, inputs: Int32[B, T], targets: Int32[B, T]) -> Float32[()]:
    """The loss of the model on a batch."""
    return cross_entropy(forward(model, inputs), targets)


def average(old: Array[float32, S], new: Array[float32, S], decay: float) -> Array[float32, S]:
    """One step of an exponential moving average."""
    return decay * old + (1.0 - decay) * new


def adam(
    param: Array[float32, S], mean: Array[float32, S], square: Array[float32, S], rate: Float32[()]
) -> Array[float32, S]:
    """One step of Adam, with a warm-up of the rate instead of bias correction."""
    return param - rate * mean / (jnp.sqrt(square) + 1e-8)


@jax.jit
def train_step(
    state: State, inputs: Int32[B, T], targets: Int32[B, T], rate: Float32[()]
) -> tuple[State, Float32[()]]:
    """One update of all parameters, and the loss before it."""
    loss, grads = jax.value_and_grad(loss_fn)(state.model, inputs, targets)
    mean: Model = jax.tree.map(lambda m, g: average(m, g, 0.9), state.mean, grads)
    square: Model = jax.tree.map(lambda s, g: average(s, g * g, 0.98), state.square, grads)
    model: Model = jax.tree.map(lambda p, m, s: adam(p, m, s, rate), state.model, mean, square)
    return State(model, mean, square), loss


def encode(text: str) -> Int32[Any]:
    """Characters to tokens."""
    return jnp.array([ALPHABET.index(c) for c in text], dtype=jnp.int32)


def decode(tokens: Int32[N]) -> str:
    """Tokens to characters."""
    return "".join(ALPHABET[int(i)] for i in tokens)


def unigram_entropy(corpus: Int32[N]) -> Float32[()]:
    """The loss of the best model that ignores context; training has to beat it."""
    frequency = jnp.mean(jax.nn.one_hot(corpus, VOCAB), axis=0)
    return -jnp.sum(jnp.where(frequency > 0, frequency * jnp.log(frequency), 0.0))


@jax.jit
def draw_batch(key: jax.Array, corpus: Int32[N]) -> tuple[Int32[Batch, Context], Int32[Batch, Context]]:
    """Random windows of the text, and the same windows one character later."""
    starts = jax.random.randint(key, (BATCH, 1), 0, corpus.shape[0] - CONTEXT)
    index = starts + jnp.arange(CONTEXT)
    return corpus[index], corpus[index + 1]


@jax.jit
def next_window(model: Model, window: Int32[One, Context], key: jax.Array) -> Int32[One, Context]:
    """Append a sampled character to the window and drop the oldest one."""
    logits = forward(model, window)[:, -1]
    token = jax.random.categorical(key, logits / 0.8)
    return jnp.concatenate([window[:, 1:], token[:, None]], axis=1)


def sample(model: Model, prompt: Int32[Context], length: int, key: jax.Array) -> str:
    """The prompt, continued by the model."""
    window: Int32[One, Context] = prompt[None, :]
    text = decode(prompt)
    for step_key in jax.random.split(key, length):
        window = next_window(model, window, step_key)
        text += decode(window[0, -1:])
    return text


def main(steps: int = 1500) -> float:
    """Train and print the loss, then print a sample and return the last loss."""
    started = time.perf_counter()
    corpus = encode(CORPUS.read_text())
    key = jax.random.key(0)
    model = init_model(key)
    zeros: Model = jax.tree.map(jnp.zeros_like, model)
    state = State(model, mean=zeros, square=zeros)
    print(f"{corpus.size} characters; unigram entropy {float(unigram_entropy(corpus)):.3f} nats")

    loss = math.inf
    for step in range(1, steps + 1):
        inputs, targets = draw_batch(jax.random.fold_in(key, step), corpus)
        rate = jnp.float32(0.004 * min(step / 30, 1.0, 1.1 - step / steps))
        state, batch_loss = train_step(state, inputs, targets, rate)
        if step % 100 == 0 or step in (1, steps):
            loss = float(batch_loss)
            print(f"step {step:4d}  loss {loss:.3f}  {time.perf_counter() - started:5.1f} s")

    print(sample(state.model, corpus[:CONTEXT], 240, jax.random.fold_in(key, 0)))
    return loss


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=1500)
    main(parser.parse_args().steps)
