"""What a program declares is believed where the walk does not tell, and only where no call contradicts it."""

# only: engine, show, true - mypy does not see what the program calls
# one python
# unknown: lambda *x: x[0]

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TypedDict, overload

import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Float32, Int, Int32
from nowhere import unknown


# %% an int that is an array
@jax.jit
def tau(r: int):
    return jnp.power(2, r).astype(jnp.int32)  # P: return: int32[...]
tau(jnp.arange(16))
tau(3)  # E(engine, show, server): compiled


# %% an int that is an array in some rounds of a loop
@jax.jit
def tau(r: int):
    y = jnp.power(2, r).astype(jnp.int32)  # P: y: int32[...]
    return y
for r in (3, jnp.arange(16), jnp.ones((2, 3), jnp.int32)):
    tau(r)  # E(engine, show, server): compiled


# %% an int that is always an array
def half(r: int):
    y = r // 2 + jnp.zeros((), jnp.int32)  # P: y: int32[2, 3]
    return y
half(jnp.ones((2, 3), jnp.int32))


# %% a float of another dtype
def scaled(by: float):
    y = by * jnp.ones(3, jnp.bfloat16)  # P: y: ?[3]  # E(engine, show, server): widening
    return y
scaled(2.0)
scaled(jnp.ones((), jnp.float32))


# %% a float of NumPy, which is a float, and no weak one
def rays(height: int, focal: float):
    d = (jnp.arange(height) - 0.5 * height) / focal  # P: d: ?
    return d
rays(4, unknown(np.float64(2.0)))


# %% numbers that JAX has to know
def routed(x: Float[Array, "t e"], k: int):
    gates, chosen = jax.lax.top_k(x, k)  # P: gates: ?[t, ?]; chosen: int32[t, ?]
    hot = jax.nn.one_hot(chosen, k)  # P: hot: float32[t, ?, ?]
    blocks = x[:, :k]  # P: blocks: ?[t, ?]
    return gates, hot, blocks
for dtype in (jnp.float32, jnp.bfloat16):
    for t, k in ((2, 3), (4, 1)):
        routed(jnp.ones((t, 5), dtype), k)


# %% a power of a size
def attend(q: Float[Array, "t d"]):
    scores = (q @ q.T) * q.shape[-1] ** -0.5  # P: scores: ?[t, t]
    return scores
for dtype in (jnp.float32, jnp.bfloat16):
    attend(jnp.ones((2, 3), dtype))
    attend(jnp.ones((4, 1), dtype))


# %% a variable that is annotated
# unknown: lambda x, m: jnp.ones(x.shape[1] // 2 + 1, bool)
def low_pass(x: Float32[Array, "c n"], m: int):
    keep: Bool[Array, " n//2+1"] = unknown(x, m)  # P: keep: bool[floordiv(n, 2) + 1]
    other: Bool[Array, " k"] = unknown(x, m)  # P: other: bool[?]
    return keep, other
low_pass(jnp.ones((2, 5)), 1)
low_pass(jnp.ones((3, 8)), 1)


# %% functions that are passed
def step(f: Callable[[Float32[Array, "d"]], Float32[Array, ""]], x: Float32[Array, "d"], y: Float32[Array, "b d"]):
    value = f(x)  # P: value: float32[]
    return value + x
for d in (2, 3):
    step(jnp.sum, jnp.ones(d), jnp.ones((d, d)))


# %% functions that are passed, of other sizes
def step(f: Callable[[Float32[Array, "k"]], Float32[Array, "k"]], x: Float32[Array, "d"], y: Float32[Array, "b d"]):
    first = f(x)  # P: first: float32[d]
    rest = f(x[1:])  # P: rest: float32[d - 1]
    rows = f(y)  # P: rows: float32[?, ?]
    return first, rest
for d in (2, 3):
    step(lambda x: x, jnp.ones(d), jnp.ones((d, d)))


# %% objects that are called, and fields that they make
# unknown: lambda x: x[:, :1]
class Encoder:
    def __init__(self, n: int):
        self.n = n
    def __call__(self, x: Float32[Array, "b k"]) -> Float32[Array, "b m"]:
        return unknown(x)
class Model:
    def __init__(self, n: int, start: Float32[Array, "s"]):
        self.encoder = Encoder(n)
        self.start = start
        self.rows, self.other = start.shape[0], 2
    def __call__(self, x: Float32[Array, "b k"]) -> Float32[Array, "b m"]:
        y = self.encoder(x)  # P: y: float32[b, ?]
        z = self.start * 2  # P: z: float32[s]
        return y, z
for b in (2, 3):
    Model(3, jnp.ones(b))(jnp.ones((b, 4)))


# %% fields that a class below makes
class Other:
    def __call__(self, x):
        return x[0]
class Encoder:
    def __call__(self, x: Float32[Array, "b k"]) -> Float32[Array, "b k"]:
        return x
class Model:
    def __init__(self):
        self.encoder = Encoder()
    def run(self, x: Float32[Array, "b k"]):
        y = self.encoder(x)  # P: y: float32[...]
        return y
class Below(Model):
    def __init__(self):
        self.encoder = Other()
Model().run(jnp.ones((2, 3)))
Below().run(jnp.ones((2, 3)))


# %% a dict of named items
class Cache(TypedDict):
    k: Float32[Array, "slots h"]
    end: Int32[Array, ""]
def attend(cache: Cache):
    filled = jnp.arange(cache["k"].shape[0]) <= cache["end"]  # P: filled: bool[slots]
    return filled
for n in (2, 3):
    attend(Cache(k=jnp.ones((n, 4)), end=jnp.zeros((), jnp.int32)))


# %% a decorator that changes the result
def summed(f):
    @wraps(f)
    def inner(*args):
        return f(*args).sum()
    return inner
@summed
def same(x: Float32[Array, "n"]) -> Float32[Array, "n"]:
    return unknown(x)
def use(x: Float32[Array, "n"]):
    y = same(x)  # P: y: float32[]
    z = jax.vmap(jax.jit(same))(x[None])  # P: z: float32[1]
    return y, z
use(jnp.ones(3))
use(jnp.ones(4))


# %% a decorator that is not known
# unknown: lambda f: lambda x: f(x)[None]
@unknown
def same(x: Float32[Array, "n"]) -> Float32[Array, "n"]:
    return x
def use(x: Float32[Array, "n"]):
    y = same(x)  # P: y: ?
    return y
use(jnp.ones(3))


# %% generators, contexts and properties
def halves(x: Float32[Array, "n"]) -> Iterator[Float32[Array, "n"]]:
    yield unknown(x)
@contextmanager
def held(x: Float32[Array, "n"]) -> Iterator[Float32[Array, "n"]]:
    yield unknown(x)
class Row:
    x: Float32[Array, "n"]
    def __init__(self, x: Float32[Array, "n"]):
        self.x = x
    @property
    def twice(self) -> Float32[Array, "n"]:
        return unknown(self.x)
def use(row: Row, x: Float32[Array, "k"]):
    gen = halves(x)  # P: gen: ?
    y = row.twice  # P: y: float32[n]
    with held(x) as z:
        w = z  # P(engine, show, server): w: ?
    return y
use(Row(jnp.ones(3)), jnp.ones(2))
use(Row(jnp.ones(4)), jnp.ones(2))


# %% overloads
@overload
def picked(x: Float32[Array, "n"]) -> Float32[Array, "n"]: ...
@overload
def picked(x: Int32[Array, "n"]) -> Int32[Array, "n"]: ...
def picked(x):
    return unknown(x)
def use(x: Int32[Array, "n"]):
    y = picked(x)  # P(engine, show, server): y: ?
    return y
use(jnp.ones(3, jnp.int32))


# %% names of a function within another one
# unknown: lambda x: jnp.ones((x.shape[0], 2))
def outer(x: Float32[Array, "n"], y: Float32[Array, "m"]):
    def inner(x: Float32[Array, "m"]) -> Float32[Array, "m n"]:
        return unknown(x)
    z = inner(x)  # P: z: float32[n, ?]
    return z
outer(jnp.ones(3), jnp.ones(4))
outer(jnp.ones(4), jnp.ones(5))


# %% a function within another one that sees nothing of it
def outer(x: Float32[Array, "n"]):
    def inner(z: Float32[Array, "n k"]):
        y = z * 2  # P: y: float32[n, k]
        return y
    return inner(x[None]), inner(jnp.ones((2, 2)))
outer(jnp.ones(3))
outer(jnp.ones(4))
