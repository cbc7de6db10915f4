"""The language model of ``language_model.py`` with ten mistakes that a checker can see.

A comment at the end of each mistake names the error code that `check` reports there. No other line has an
error. Python imports this file without an error. JAX rejects eight of the lines, but only when it traces
them. Of the other two, the one in `feed_forward` runs with the wrong dtype, and the one in `validate` fails
far from its cause.
"""

import math
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
HEADS: Final[Heads] = 4
HEAD_WIDTH: Final[HeadWidth] = 16


class Block(NamedTuple):
    """The parameters of one layer: attention, then a two-layer network."""

    w_qkv: Float32[Width, Literal[192]]
    w_out: Float32[Width, Width]
    w_up: Float32[Width, Hidden]
    w_down: Float32[Hidden, Width]


class Model(NamedTuple):
    """All parameters; the embedding also gives the logits."""

    embedding: Float32[Vocab, Width]
    position: Float32[Context, Width]
    blocks: tuple[Block, Block]


def rms_norm(x: Float32[B, T, D]) -> Float32[B, T, D]:
    """Scale each position to unit mean square."""
    # Without keepdims the mean loses its last axis, so its T meets the D of x.
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1) + 1e-6)  # expect: array-shape


def project(x: Float32[B, T, D], w: Float32[D, F]) -> BFloat16[B, T, F]:
    """Multiply in bfloat16; parameters and the residual stream stay float32."""
    return x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)


def rounding_error(w: Float32[D, F]) -> BFloat16[D, F]:
    """The error of storing a parameter in eight bits."""
    stored = w.astype(jnp.float8_e4m3fn)
    # Eight-bit floats do not promote: cast `stored` first.
    return w.astype(jnp.bfloat16) - stored  # expect: array-dtype


def visible(scores: Float32[B, H, T, T], real: Bool[B, T]) -> Bool[B, One, T, T]:
    """The positions that can be seen: earlier ones that are not padding."""
    causal = jnp.tril(jnp.ones(scores.shape[2:]))
    # `ones` is float32 by default.
    return causal & real[:, None, None, :]  # expect: array-dtype


def attend(
    q: BFloat16[B, H, T, K], k: BFloat16[B, H, T, K], v: BFloat16[B, H, T, K], real: Bool[B, T]
) -> BFloat16[B, H, T, K]:
    """Mix the values of earlier positions; the softmax is computed in float32."""
    # The keys are not transposed.
    products = q @ k  # expect: array-shape
    scores = products.astype(jnp.float32) / math.sqrt(q.shape[-1])
    weights = jax.nn.softmax(jnp.where(visible(scores, real), scores, -jnp.inf), axis=-1)
    return weights.astype(jnp.bfloat16) @ v


def attention(block: Block, x: Float32[B, T, Width], real: Bool[B, T]) -> Float32[B, T, Width]:
    """Multi-head self-attention, with one product for queries, keys and values."""
    b, t, _ = x.shape
    qkv = project(x, block.w_qkv).reshape(b, t, 3, HEADS, HEAD_WIDTH)
    q, k, v = qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2]
    mixed = attend(q.swapaxes(1, 2), k.swapaxes(1, 2), v.swapaxes(1, 2), real).swapaxes(1, 2)
    return project(mixed.reshape(b, t, WIDTH).astype(jnp.float32), block.w_out).astype(jnp.float32)


def head_norms(block: Block) -> Float32[Heads]:
    """The size of the weights of each head."""
    # A head has 16 queries, keys and values: three times this size.
    per_head = block.w_qkv.reshape(WIDTH, HEADS, HEAD_WIDTH)  # expect: array-shape
    return jnp.sqrt(jnp.sum(per_head * per_head, axis=(0, 2)))


def feed_forward(block: Block, x: Float32[B, T, Width]) -> BFloat16[B, T, Width]:
    """The two-layer network, applied to each position on its own."""
    hidden = jax.nn.gelu(project(x, block.w_up))
    # w_down is float32, so the product is too: half of the layer does not run in bfloat16.
    return hidden @ block.w_down  # expect: array-dtype


def forward(model: Model, tokens: Int32[B, T], real: Bool[B, T]) -> Float32[B, T, Vocab]:
    """The logits of the next character at every position."""
    x = model.embedding[tokens] + model.position[jnp.arange(tokens.shape[1])]
    for block in model.blocks:
        x = x + attention(block, rms_norm(x), real)
        x = x + feed_forward(block, rms_norm(x)).astype(jnp.float32)
    # The embedding is (vocabulary, width): "vd".
    return jnp.einsum("btd,dv->btv", x, model.embedding)  # expect: array-shape


def cross_entropy(logits: Float32[B, T, V], targets: Int32[B, T]) -> Float32[()]:
    """The mean negative log-likelihood of the targets, in nats."""
    log_probs = jax.nn.log_softmax(logits, axis=-1)
    picked = jnp.take_along_axis(log_probs, targets[:, :, None], axis=-1)
    return -jnp.mean(picked)


def loss_fn(model: Model, inputs: Int32[Batch, Context], targets: Int32[Batch, Context]) -> Float32[()]:
    """The loss of the model on a batch; nothing in it is padding."""
    return cross_entropy(forward(model, inputs, jnp.ones_like(inputs, dtype=bool)), targets)


def progress(before: Float32[B, T, V], after: Float32[B, T, V], targets: Int32[B, T]) -> Float32[()]:
    """How much a step has improved the accuracy."""
    was_right = jnp.argmax(before, axis=-1) == targets
    is_right = jnp.argmax(after, axis=-1) == targets
    # JAX, like NumPy, cannot subtract booleans.
    return jnp.mean(is_right - was_right)  # expect: array-dtype


def descend(param: Array[float32, S], grad: Array[float32, S], rate: Float32[()]) -> Array[float32, S]:
    """One step of gradient descent."""
    return param - rate * grad


@jax.jit
def train_step(
    model: Model, inputs: Int32[Batch, Context], targets: Int32[Batch, Context], rate: Float32[()]
) -> tuple[Model, Float32[()]]:
    """One update of all parameters, and the loss before it."""
    loss, grads = jax.value_and_grad(loss_fn)(model, inputs, targets)
    updated: Model = jax.tree.map(lambda p, g: descend(p, g, rate), model, grads)
    return updated, loss


def validate(model: Model, inputs: Int32[Context, Batch], targets: Int32[Batch, Context]) -> Float32[()]:
    """The loss on held-out text, whose first axis is time."""
    # Time is still the first axis: the loss takes positions for sequences.
    return loss_fn(model, inputs, targets)  # expect: array-shape


def draw_inputs(key: jax.Array, corpus: Int32[N]) -> Int32[Batch, Context]:
    """Random windows of the text."""
    starts = jax.random.uniform(key, (BATCH, 1)) * (corpus.shape[0] - CONTEXT)
    index = starts + jnp.arange(CONTEXT)
    # `uniform` draws floats. Use `randint` for indices.
    return corpus[index]  # expect: array-dtype


def next_window(model: Model, window: Int32[One, Context], key: jax.Array) -> Int32[One, Context]:
    """Append a sampled character to the window and drop the oldest one."""
    logits = forward(model, window, jnp.ones_like(window, dtype=bool))[:, -1]
    token = jax.random.categorical(key, logits / 0.8)
    return jnp.concatenate([window[:, 1:], token[:, None]], axis=1)
