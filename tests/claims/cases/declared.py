"""Functions that declare their arrays: what follows from that holds of all calls, whatever their sizes are."""

# only: engine, show, true - mypy does not see what the program calls
# one python

from dataclasses import dataclass
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, BFloat16, Bool, Float, Float32, Int, Key, PRNGKeyArray


# %% calls with several sizes
def attend(q: BFloat16[Array, "B T D"], k: BFloat16[Array, "B S D"]):
    scores = jnp.einsum("btd,bsd->bts", q, k)  # P: scores: bfloat16[B, T, S]
    weights = jax.nn.softmax(scores, axis=-1)  # P: weights: bfloat16[B, T, S]
    return weights  # P: return: bfloat16[B, T, S]
for b in (2, 3):
    for s in (4, 5):
        attend(jnp.ones((b, 7 - b, 3), jnp.bfloat16), jnp.ones((b, s, 3), jnp.bfloat16))
attend(jnp.ones((1, 1, 6), jnp.bfloat16), jnp.ones((1, 1, 6), jnp.bfloat16))


# %% a call with sizes that are known
def scaled(x: Float32[Array, "b n"]):
    y = x / x.shape[1]  # P: y: float32[b, n]
    return y
scaled(jnp.ones((2, 3)))


# %% a number of a size that has a name
import math
def softened(x: Float32[Array, "b n"]):
    scale = math.sqrt(x.shape[-1])
    y = x / scale  # P: y: float32[b, n]
    z = jnp.full((math.ceil(scale),), 1.0)  # P: z: weak float32[?]
    return y
softened(jnp.ones((2, 4)))
softened(jnp.ones((3, 9)))


# %% what holds only for sizes other than 1 is not known
def squeezed(x: Float32[Array, "b n"], y: Float32[Array, "m n"]):
    a = x.squeeze()  # P: a: float32[...]
    c = x[:, None] + y  # P: c: float32[b, m, n]
    if x.shape[0] == 1:
        d = jnp.ones(3)
    else:
        d = jnp.ones(4)
    e = d * 2  # P: e: float32[?]
    return a, c, e
squeezed(jnp.ones((1, 3)), jnp.ones((2, 3)))
squeezed(jnp.ones((2, 3)), jnp.ones((1, 3)))
squeezed(jnp.ones((4, 1)), jnp.ones((4, 1)))


# %% formulas of sizes
def cut(x: Float32[Array, "b n"], y: Float32[Array, "b n+1"], w: Float32[Array, "n 2*n"]):
    first = x[1:]  # P: first: float32[b - 1, n]
    both = jnp.concatenate([x, y], 1)  # P: both: float32[b, 2*n + 1]
    flat = x.reshape(-1)  # P: flat: float32[b*n]
    wide = x @ w  # P: wide: float32[b, 2*n]
    few = x[:, :3]  # P: few: float32[b, min(n, 3)]
    return first, both, flat, wide, few
for b, n in ((2, 3), (1, 1), (3, 4), (2, 2)):
    cut(jnp.ones((b, n)), jnp.ones((b, n + 1)), jnp.ones((n, 2 * n)))


# %% dtypes of a kind
def moments(x: Float[Array, "b n"], i: Int[Array, "k"], keep: Bool[Array, "b"]):
    centred = x - x.mean(0)  # P: centred: ?[b, n]
    rows = x[i]  # P: rows: ?[k, n]
    above = x > 0  # P: above: bool[b, n]
    kept = jnp.where(keep[:, None], x, 0)  # P: kept: ?[b, n]
    single = x.astype(jnp.float32) * i.sum()  # P: single: float32[b, n]
    return centred, rows, above, kept, single
for dtype in (jnp.float32, jnp.bfloat16, jnp.float16):
    for b, k in ((2, 3), (5, 1)):
        moments(jnp.ones((b, 3 + k), dtype), jnp.zeros(k, jnp.int8), jnp.ones(b, bool))


# %% parameters that may be None
def masked(x: Float32[Array, "b n"], mask: Bool[Array, "b"] | None = None, scale: float = 1.0):
    if mask is not None:
        x = x * mask[:, None]  # P: x: float32[b, n]
    y = x * scale  # P: y: float32[b, n]
    return y
masked(jnp.ones((2, 3)))
masked(jnp.ones((4, 3)), jnp.ones(4, bool))
masked(jnp.ones((3, 4)), jnp.ones(3, bool))
masked(jnp.ones((4, 5)), scale=2)


# %% tuples, lists and dicts
def layers(params: list[tuple[Float32[Array, "n n"], Float32[Array, "n"]]], table: dict[str, Float32[Array, "v n"]], x: Float32[Array, "b n"]):
    for w, bias in params:
        x = jnp.tanh(x @ w + bias)  # P: x: float32[b, n]
    row = table["first"][0]  # P: row: float32[n]
    return x + row
for b, n in ((2, 3), (3, 4)):
    layers([(jnp.ones((n, n)), jnp.ones(n))] * b, {"first": jnp.ones((b, n))}, jnp.ones((b, n)))


# %% objects with fields
@dataclass
class Batch:
    x: Float32[Array, "b n"]
    y: Int[Array, "b"]
    def rows(self):
        rows = self.x[self.y]  # P: rows: float32[b, n]
        return rows
class Pair(NamedTuple):
    first: Float32[Array, "n"]
    second: Float32[Array, "n"]
def total(batch: Batch, pair: Pair):
    rows = batch.rows() + pair.first
    z = batch.x * pair.second  # P: z: float32[b, n]
    return rows, z
for b, n in ((2, 3), (3, 4)):
    total(Batch(jnp.ones((b, n)), jnp.zeros(b, int)), Pair(jnp.ones(n), jnp.ones(n)))


# %% random keys
def noisy(key: PRNGKeyArray, other: Key[Array, ""], x: Float32[Array, "b n"]):
    noise = jax.random.normal(key, x.shape)  # P: noise: float32[b, n]
    more = jax.random.uniform(other, (3,))  # P: more: float32[3]
    return x + noise
for b, n in ((2, 3), (3, 4)):
    noisy(jax.random.PRNGKey(0), jax.random.key(0), jnp.ones((b, n)))
    noisy(jax.random.key(0, impl="rbg"), jax.random.key(0, impl="rbg"), jnp.ones((b, n)))


# %% functions within others
def outer(x: Float32[Array, "b n"]):
    def inner(z: Float32[Array, "c k"]):
        v = jnp.concatenate([z, z], 1)  # P: v: float32[c, 2*k]
        return v
    def other(z: Float32[Array, "n k"]):
        w = z + x.sum()  # P: w: float32[?, k]
        return w
    return inner(x), inner(x[:1, :1]), other(x[:1]), other(x)
for b, n in ((2, 3), (3, 4)):
    outer(jnp.ones((b, n)))


# %% a helper without annotations
def helper(x):
    y = x * 2  # P: y: float32[?, ?]
    return y
def uses(x: Float32[Array, "b n"]):
    z = helper(x)  # P: z: float32[b, n]
    return z
for b, n in ((2, 3), (3, 4)):
    uses(jnp.ones((b, n)))


# %% a helper that the program calls as well
def helper(x):
    y = x * 2  # P: y: bfloat16[4]
    return y
helper(jnp.ones(4, jnp.bfloat16))
def unused(x: Float32[Array, "b n"]):
    return helper(x)


# %% *args and **kwargs
def summed(*xs: Float32[Array, "n"], **more: Float32[Array, "n k"]):
    total = jnp.zeros(())
    for x in xs:
        y = x * 2  # P: y: float32[n]
        total = total + y.sum()
    last = more["last"] * 2  # P: last: float32[n, k]
    return total, last
for n in (2, 3):
    summed(jnp.ones(n), jnp.ones(n), last=jnp.ones((n, n + 1)))


# %% any number of dims
def normed(x: Float32[Array, "*batch n"], y: Float32[Array, "#b n"]):
    z = x / jnp.linalg.norm(x, axis=-1, keepdims=True)  # P: z: float32[...]
    w = y.sum(1)  # P: w: float32[?]
    return z, w
normed(jnp.ones((2, 3)), jnp.ones((1, 3)))
normed(jnp.ones((2, 3, 4)), jnp.ones((5, 4)))
normed(jnp.ones(3), jnp.ones((5, 3)))


# %% methods of a class with declared fields
class Linear:
    weight: Float32[Array, "n k"]
    bias: Float32[Array, "k"]
    def __init__(self, n: int, k: int):
        self.weight = jnp.ones((n, k))
        self.bias = jnp.zeros(k)
    def __call__(self, x: Float32[Array, "b n"]):
        y = x @ self.weight + self.bias  # P: y: float32[b, k]
        return self.activated(y)
    def activated(self, x):
        return jax.nn.relu(x)
for b, n, k in ((2, 3, 4), (3, 4, 5), (1, 6, 1)):
    Linear(n, k)(jnp.ones((b, n)))


# %% a method that a class below has as well
class Base:
    weight: Float32[Array, "n"]
    def __init__(self, n: int):
        self.weight = jnp.ones(n)
    def apply(self, x: Float32[Array, "b n"]):
        hidden = self.hidden(x)  # P: hidden: float32[...]
        return hidden
    def hidden(self, x):
        return x * self.weight
class Below(Base):
    def hidden(self, x):
        return x[0]
for b, n in ((2, 3), (3, 4)):
    Base(n).apply(jnp.ones((b, n)))
    Below(n).apply(jnp.ones((b, n)))
