"""Functions whose annotations are right for all sizes that they do not refuse themselves."""

from __future__ import annotations

import abc
import contextlib
from collections.abc import Callable, Iterator
from typing import Any, Generic, Literal, NamedTuple, TypeVar

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
from flax import nnx
from jaxtyping import Array, Bool, Float, Int, Key, PRNGKeyArray, PyTree, ScalarLike, Shaped

from jaxtyping_core.typing import Array as Typed
from jaxtyping_core.typing import ArrayLike, Float32, Floating, Like, floating, weak_float

B = TypeVar("B", bound=int)
D = TypeVar("D", bound=int)
N = TypeVar("N", bound=int)
M = TypeVar("M", bound=int)
F = TypeVar("F", bound=floating)
T = TypeVar("T")


# proven
def affine(x: Float32[B, N], w: Float32[N, M], b: Float32[M]) -> Float32[B, M]:
    return x @ w + b


# proven
def normalize(x: Float[Array, "*batch d"], eps: float = 1e-6) -> Float[Array, "*batch d"]:
    return x / (jnp.linalg.norm(x, axis=-1, keepdims=True) + eps)


# proven
def scaled(x: Float[Array, "n"], by: float) -> Float[Array, "n"]:
    return x * by


# proven
def with_flag(x: Float[Array, "n d"], rows: bool) -> Float[Array, "n"] | Float[Array, "d"]:
    return x.sum(axis=1) if rows else x.sum(axis=0)


# proven
def zeros(n: int, m: int) -> Float[Array, "{n} {m}"]:
    return jnp.zeros((n, m))


# proven
def joined(x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n+m d"]:
    return jnp.concatenate([x, y])


# proven
def flat(x: Shaped[Array, "n m"]) -> Shaped[Array, "n*m"]:
    return x.reshape(-1)


# proven
def broadcast(x: Float[Array, "*#batch d"], y: Float[Array, "*#batch d"]) -> Float[Array, "*batch d"]:
    return x + y


# tested: trees are made up
def rescaled(tree: PyTree[Float[Array, "?*s"], "T"], by: ScalarLike) -> PyTree[Float[Array, "?*s"], "T"]:
    return jax.tree.map(lambda leaf: leaf * by, tree)


# proven
def same_dtype(x: Typed[F, tuple[N]]) -> Typed[F, tuple[N]]:
    return x * 2


# proven
def noise(key: PRNGKeyArray, x: Float[Array, "n"]) -> Float[Array, "n"]:
    return x + jax.random.normal(key, x.shape, x.dtype)


# proven
def optional(x: Float[Array, "n"], mask: Bool[Array, "n"] | None) -> Float[Array, "n"]:
    return x if mask is None else jnp.where(mask, x, 0)


# proven
@jax.jit
def compiled(x: Like[Float32[N, D]]) -> Float32[D, N]:
    return jnp.asarray(x).T


# proven
@jax.vmap
def mapped(x: Float[Array, "d"]) -> Float[Array, ""]:
    return x.sum()


# proven
@jax.value_and_grad
def differentiated(x: Float[Array, "d"]) -> Float[Array, ""]:
    return x.sum()


# proven
def held_by_a_variable(name: T, x: Float[Array, "n"]) -> tuple[T, Float[Array, "n"]]:
    return name, x


# tested: a row more is refused
def even_only(x: Float[Array, "n"]) -> Float[Array, "n//2"]:
    if x.shape[0] % 2:
        raise ValueError("an even number of samples is needed")
    return x[::2] + x[1::2]


# tested: an assertion
def square_only(x: Float[Array, "n m"]) -> Float[Array, "m n"]:
    assert x.shape[0] == x.shape[1]
    return x


# tested: heads must divide
def split_heads(x: Float[Array, "t d"], heads: int) -> Float[Array, "t {heads} k"]:
    return x.reshape(x.shape[0], heads, -1)


# tested: a number of rows that symbols are not
def asks_for_ints(x: Float[Array, "n"], k: int) -> Float[Array, "n"]:
    return x[:1] if isinstance(k, int) and k > 1 else x


# tested: the axis is made up
def along(x: Float[Array, "n d"], axis: int) -> Float[Array, "n"]:
    return x.sum(axis)


# tested: a loop over a size
def unrolled(x: Float[Array, "n d"]) -> Float[Array, "d"]:
    total = jnp.zeros(x.shape[1], x.dtype)
    for row in range(x.shape[0]):
        total = total + x[row]
    return total


# tested: two ways for sizes
def by_size(x: Float[Array, "n m"]) -> Float[Array, "k"]:
    return x.sum(axis=0) if x.shape[0] == x.shape[1] else x.sum(axis=1)


# tested: a mask
def chosen(x: Float[Array, "n"], keep: Bool[Array, "n"]) -> Float[Array, "k"]:
    return x[keep]


# tested: a value
def printed(x: Float[Array, "n"]) -> Float[Array, ""]:
    total = x.sum()
    print(f"total {float(total):.3f}")
    return total


# tested: the number of dims is made up
def any_rank(x: jax.Array, y: Float[Array, "n"]) -> tuple[Float[Array, ""], Float[Array, "n"]]:
    return x.sum(), y


# tested: with the sizes that JAX asks for
def predict(params: dict[str, Float[Array, "..."]], x: Float[Array, "n d"]) -> Float[Array, "n"]:
    return x @ params["w"] + params["b"]


# not checked: function: it is a function
def apply(function: Callable[..., Any], x: Float[Array, "n"]) -> Float[Array, "n"]:
    return function(x)


# not checked: no annotation
def partly(x: Float[Array, "n"], options) -> Float[Array, "n"]:
    return x * options["scale"]


# tested
def stream(x: Float[Array, "n d"]) -> Iterator[Float[Array, "d"]]:
    yield from x


# tested
def batches(x: Float[Array, "n d"], size: int) -> Iterator[tuple[Int[Array, ""], Float[Array, "b d"]]]:
    while True:
        for start in range(0, x.shape[0], size):
            yield jnp.asarray(start), x[start : start + size]


# tested
def undeclared(x: Float[Array, "n d"]):
    yield x


# not checked: a generator that yields nothing
def nothing(x: Float[Array, "n d"]) -> Iterator[Float[Array, "d n"]]:
    yield from x.T[:0]


# not checked: a generator, and its decorators return something else
@contextlib.contextmanager
def managed(x: Float[Array, "n d"]) -> Iterator[Float[Array, "n d"]]:
    yield x


# not checked: a coroutine
async def fetched(x: Float[Array, "n"]) -> Float[Array, "n"]:
    return x


# not checked: name 'Missing' is not defined
def from_type_checking(x: Missing[N]) -> Float32[N]:  # noqa: F821
    return x


# not checked: no such thing
def always_raises(x: Float[Array, "n"]) -> Float[Array, "n"]:
    raise ValueError("no such thing")


# tested: the function that it returns was not called
def made(x: Float[Array, "n"]) -> Callable[[Float[Array, "n"]], Float[Array, "n"]]:
    return lambda y: x + y


class Kernel(eqx.Module):
    scale: Float[Array, ""]

    @abc.abstractmethod
    def __call__(self, x: Float[Array, "d"], y: Float[Array, "d"]) -> Float[Array, ""]: ...

    # proven
    def gram(self, x: Float[Array, "n d"], y: Float[Array, "m d"]) -> Float[Array, "n m"]:
        return jax.vmap(lambda a: jax.vmap(lambda b: self(a, b))(y))(x)


class Linear(Kernel):
    # proven
    def __call__(self, x: Float[Array, "d"], y: Float[Array, "d"]) -> Float[Array, ""]:
        return self.scale * x @ y


class Dense(eqx.Module, Generic[N]):
    weight: Float[Array, "width hidden"]
    width: int = eqx.field(static=True)

    def __init__(self, width: int, hidden: int, key: Key[Array, ""]):
        self.weight = jax.random.normal(key, (width, hidden))
        self.width = width

    # tested: its class takes ints
    def __call__(self, x: Float[Array, "hidden"]) -> Float[Array, "width"]:
        return self.weight @ x

    # tested: an attribute is a size
    def back(self, x: Float[Array, "{self.width}"]) -> Float[Array, "hidden"]:
        return x @ self.weight


class Convolutions(nn.Module):
    features: int

    # proven or tested: flax's newer versions look at sizes
    @nn.compact
    def __call__(self, x: Float[Array, "b h w c"]) -> Float[Array, "b h w {self.features}"]:
        return nn.relu(nn.Conv(self.features, (3, 3))(x))


class Network(nnx.Module):
    def __init__(self, inputs: int, outputs: int, *, rngs: nnx.Rngs):
        self.layer = nnx.Linear(inputs, outputs, rngs=rngs)

    # proven or tested: flax's newer versions look at sizes
    def __call__(self, x: Float[Array, "b inputs"]) -> Float[Array, "b outputs"]:
        return self.layer(x)


# proven
def parameters_of_any_shape(width: Literal[8]) -> dict[str, Float32]:
    return {"w": jnp.ones((4, width)), "b": jnp.zeros(width)}


# proven
def of_any_shapes(x: Float32[B, D]) -> tuple[Float32, Float32]:
    return x.sum(), x


class Chain(NamedTuple):
    initial: Float32
    transition: Float32


# not checked: Too many indices
def drawn(key: jax.Array, chain: Chain, steps: N) -> tuple[Float32[()], Float32[N]]:
    rows = jax.random.normal(key, (steps, *chain.initial.shape[1:]))
    return chain.initial[0] + chain.transition[0, 0], rows


class Square(NamedTuple):
    forth: Float32
    back: Float32


# tested: its matrices are square, which nothing says
def turned(x: Float32[N, D], by: Square) -> tuple[Float32[N, D], Float32[N, D]]:
    return x @ by.forth, x @ by.back


# tested: where the rows are as many
def of_rows(by: Square) -> Float32:
    return by.forth[:, None] + by.back


# tested: the noise has as many rows, which nothing says
def noisy(w: Float32[N, D], noise: Float32) -> Float32[N, D]:
    (rows,) = noise.shape
    return w + noise.reshape(rows, 1)


# tested: the weights are matrices, which nothing says
def layered(layers: list[tuple[Float32, Float32]], x: Float32[B, D]) -> Float32[B, Any]:
    for w, b in layers:
        x = x @ w + b
    return x


# tested: of even sizes alone, of which its result has half
def pooled(x: Float[Array, "b h w c"]) -> Float[Array, "b h//2 w//2 c"]:
    b, h, w, c = x.shape
    return x.reshape(b, h // 2, 2, w // 2, 2, c).mean((2, 4))


# tested: of even sizes alone; JAX broadcasts an only one
def rotated(x: Float[Array, "b t d"]) -> Float[Array, "b t d"]:
    half = x.shape[-1] // 2
    cos, sin = jnp.cos(jnp.arange(half)), jnp.sin(jnp.arange(half))
    x1, x2 = x[..., :half], x[..., half:]
    return jnp.concatenate([x1 * cos - x2 * sin, x2 * cos + x1 * sin], -1)


class Layer(NamedTuple):
    weight: Float[Array, "o i"]
    bias: Float[Array, " o"]


# tested: a layer whose sizes are equal, which its class does not say
def residual(layer: Layer, x: Float[Array, "b i"]) -> Float[Array, "b i"]:
    return x + x @ layer.weight.T + layer.bias


# tested: layers of which one takes what another gives
def chained(layers: tuple[Layer, Layer], x: Float[Array, "b i"]) -> Float[Array, "b _"]:
    for layer in layers:
        x = x @ layer.weight.T + layer.bias
    return x


# tested: a function's own names beside those of a class
def applied(layer: Layer, x: Float[Array, "b d"]) -> Float[Array, "b n"]:
    return x @ layer.weight.T + layer.bias
