"""Functions whose annotations are wrong. The comment above each is what is said of it, in part."""

from __future__ import annotations

from dataclasses import dataclass
from collections.abc import Generator
from typing import Any, Generic, Literal, NamedTuple, TypedDict, TypeVar

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from jaxtyping import Array, Bool, Float, Int, Key, Num, PyTree

from jaxtyping_core.typing import Array as Typed
from jaxtyping_core.typing import BFloat16, Float32, Floating, Int32, Like, float32, floating

B = TypeVar("B", bound=int)
D = TypeVar("D", bound=int)
H = TypeVar("H", bound=int)
N = TypeVar("N", bound=int)
M = TypeVar("M", bound=int)
F = TypeVar("F", bound=floating)


# returns float32[1, 2] for x: float32[1, 1], y: float32[2, 1]; expected float32[M, N], here [2, 1]
def dims_in_the_other_order(x: Float32[N, D], y: Float32[M, D]) -> Float32[M, N]:
    return x @ y.T


# returns float32[0] for x: float32[1]; expected float32[N], here [1]
def one_less(x: Float32[N]) -> Float32[N]:
    return jnp.diff(x)


# returns float32[2] for x: float32[1]; expected Float[Array, "n"], here [1]
def one_more(x: Float[Array, "n"]) -> Float[Array, "n"]:
    return jnp.concatenate([jnp.zeros(1, x.dtype), x])


# returns float32[1] for x: bfloat16[1]; expected bfloat16[N]
def wrong_dtype(x: BFloat16[N]) -> BFloat16[N]:
    return x * jnp.float32(2)


# returns float32[2, 1] for x: float32[1, 2]; expected float32[N, M], here [1, 2]
def transposed(x: Float32[N, M]) -> Float32[N, M]:
    return x.T


# returns float32[] for x: float32[1]; expected float32[N], here [1]
def lost_axis(x: Float32[N]) -> Float32[N]:
    return x.mean()


# returns float32[2] for x: float32[1, 2]; expected Float[Array, "b"], here [1]
def reduced_the_other_axis(x: Float[Array, "b d"]) -> Float[Array, "b"]:
    return x.sum(axis=0)


# returns float32[] for x: float32[1]; expected Float[Array, "n"], here [1]; the result is as declared for x: float32[2]
def wrong_for_size_one(x: Float[Array, "n"]) -> Float[Array, "n"]:
    return jnp.squeeze(x)


# returns float32[2, 1] for x: float32[1], y: float32[2]; expected Float[Array, "n m"], here [1, 2]
def broadcast_the_other_way(x: Float[Array, "n"], y: Float[Array, "m"]) -> Float[Array, "n m"]:
    return x[None, :] * y[:, None]


# returns float32[2, 2] for x: float32[1, 2]; expected Float[Array, "n m"], here [1, 2]; the result is as declared for x: float32[1, 1]
def only_for_squares(x: Float[Array, "n m"]) -> Float[Array, "n m"]:
    return x + jnp.linalg.norm(x, axis=0)[:, None]


# JAX refuses "refused" for x: float32[1, 1], w: float32[2, 1]
def refused(x: Float32[B, D], w: Float32[H, D]) -> Float32[B, H]:
    return x @ w


class Dense(eqx.Module):
    weight: Float[Array, "out in"]
    bias: Float[Array, "out"]

    # returns float32[1] for x: float32[2]; expected Float[Array, "in"], here [2]
    def __call__(self, x: Float[Array, "in"]) -> Float[Array, "in"]:
        return self.weight @ x + self.bias

    # returns float32[1, 2]; expected Float[Array, "in out"], here [2, 1]
    @property
    def transposed(self) -> Float[Array, "in out"]:
        return self.weight


@dataclass
class Layer(Generic[D, H]):
    weight: Float32[D, H]

    # returns float32[1, 2] for x: float32[1, 1]; expected float32[B, D], here [1, 1]
    def apply(self, x: Float32[B, D]) -> Float32[B, D]:
        return x @ self.weight


# returns float32[1, 2] for layer: Layer(weight=float32[1, 2]), x: float32[1, 1]; expected float32[B, D], here [1, 1]
def through_a_layer(layer: Layer[D, H], x: Float32[B, D]) -> Float32[B, D]:
    return x @ layer.weight


class Parameters(TypedDict):
    w: Float[Array, "d h"]
    b: Float[Array, "h"]


# returns float32[1, 2] for params: {'w': float32[1, 2], 'b': float32[2]}, x: float32[1, 1]
def items_of_a_dict(params: Parameters, x: Float[Array, "b d"]) -> Float[Array, "b d"]:
    return x @ params["w"] + params["b"]


# returns float32[2] in result['mean'] for x: float32[1, 2]; expected Float[Array, "n"], here [1]
def a_dict_of_results(x: Float[Array, "n d"]) -> dict[str, Float[Array, "n"]]:
    return {"sum": x.sum(axis=1), "mean": x.mean(axis=0)}


# returns float32[2] in result[1] for x: float32[1, 2]; expected float32[N], here [1]
def second_of_a_tuple(x: Float32[N, D]) -> tuple[Float32[D], Float32[N]]:
    return x.mean(axis=0), x.var(axis=0)


class Moments(NamedTuple):
    mean: Float[Array, "d"]
    cov: Float[Array, "d d"]


# returns float32[1, 1] in result.cov for x: float32[1, 2]; expected Float[Array, "d d"], here [2, 2]
def field_of_a_result(x: Float[Array, "n d"]) -> Moments:
    return Moments(x.mean(axis=0), x @ x.T)


# returns float32[1] for x: float32[1]; expected Float[Array, "*batch"], here []; the result is as declared for x: float32[1, 1]
def leading_axes(x: Float[Array, "*batch d"]) -> Float[Array, "*batch"]:
    return x.sum(axis=tuple(range(1, x.ndim)))


# returns float32[1, 1] for x: float32[1], y: float32[1]; expected Float[Array, "n+m"], here [2]
def arithmetic(x: Float[Array, "n"], y: Float[Array, "m"]) -> Float[Array, "n+m"]:
    return y[:, None] + x[None, :]


# returns float32[2] for x: float32[1]; expected Float[Array, "n+2"], here [3]
def arithmetic_off_by_one(x: Float[Array, "n"]) -> Float[Array, "n+2"]:
    return jnp.pad(x, (1, 0))


# returns float32[1] for x: bfloat16[1], scale: 0.5; expected F[N]
def same_dtype(x: Typed[F, tuple[N]], scale: float) -> Typed[F, tuple[N]]:
    return jnp.asarray(x * scale, float32)


# returns bfloat16[1] for x: bfloat16[1]; expected float32[N]; the result is as declared for x: float32[1]
def abstract_dtype(x: Floating[N]) -> Float32[N]:
    return x * 2


# returns float32[1] for x: float32[1]; expected Int[Array, "n"]
def floats_for_ints(x: Float[Array, "n"]) -> Int[Array, "n"]:
    return jnp.floor(x)


# returns int32[1] for x: int32[1]; expected Float[Array, "n"]
def ints_stay_ints(x: Num[Array, "n"]) -> Float[Array, "n"]:
    return x**2


# returns float32[1, 1] for x: float32[1, 1], mask: bool[1]; expected Float[Array, "d"], here [1]
def optional_mask(x: Float[Array, "n d"], mask: Bool[Array, "n"] | None) -> Float[Array, "d"]:
    return x.mean(axis=0) if mask is None else x * mask[:, None]


# returns float32[1, 2] for labels: int32[1]; expected Float[Array, "b 10"], here [1, 10]
def a_number(labels: Int[Array, "b"]) -> Float[Array, "b 10"]:
    return jax.nn.one_hot(labels, 2)


# returns float32[2, 3] for key: key<fry>[], n: 2, m: 3; expected Float[Array, "{m} {n}"], here [3, 2]
def from_ints(key: Key[Array, ""], n: int, m: int) -> Float[Array, "{m} {n}"]:
    return jax.random.normal(key, (n, m))


# returns float32[1, 2] for in_size: 1, out_size: 2; expected float32[H, D], here [2, 1]
def typed_ints(in_size: D, out_size: H) -> Float32[H, D]:
    return jnp.zeros((in_size, out_size))


# returns float32[] in result['a'] for tree: {'a': float32[1], 'b': float32[1]}
def leaves(tree: PyTree[Float[Array, "?n"], "T"]) -> PyTree[Float[Array, "?n"], "T"]:
    return jax.tree.map(lambda leaf: leaf.sum(), tree)


# returns float32[2] for x: float32[1, 2]; expected float32[N], here [1]
@jax.jit
def compiled(x: Float32[N, M]) -> Float32[N]:
    return x.max(axis=0)


# returns float32[2] for x: float32[1, 2]; expected Float[Array, "n"], here [1]
def needs_values(x: Float[Array, "n d"]) -> Float[Array, "n"]:
    if float(x.sum()) > 1e9:
        print("large")
    return x[0]


# returns float32[2, 1] for x: float32[1, 2]; expected Float[ndarray, "n d"], here [1, 2]
def of_numpy(x: Float[np.ndarray, "n d"]) -> Float[np.ndarray, "n d"]:
    return x.T


# returns float32[2, 1] for x: float32[1, 2]; expected float32[N, D], here [1, 2]
def converted(x: Like[Float32[N, D]]) -> Float32[N, D]:
    return jnp.asarray(x).T


# returns NumPy's float32[1] for x: float32[1]; expected float32[N]
def an_array_of_numpy(x: Float32[N]) -> Float32[N]:
    return np.ones(x.shape, np.float32)


# returns float32[1, 1] for xs: [float32[1], float32[1]]; expected Float[Array, "2 n"], here [2, 1]
def stacked(xs: list[Float[Array, "n"]]) -> Float[Array, "2 n"]:
    return jnp.stack(xs[:1])


# returns float32[1, 3] for x: float32[1], which: 'three'; expected float32[N, 2], here [1, 2]
def each_literal(x: Float32[N], which: Literal["two", "three"]) -> Float32[N, Literal[2]]:
    return x[:, None] * jnp.ones(2 if which == "two" else 3)


# returns float32[1, 2] for image: float32[1, 2, 3]; expected float32[N, N], here [1, 1]
def a_size_of_a_constant(image: Float32[N, M, Any]) -> Float32[N, N]:
    return image @ jnp.array([0.3, 0.6, 0.1])


class Batch(NamedTuple):
    rewards: Float32
    actions: Int32


# returns float32[] for w: float32[2, 3], batch: Batch(rewards=float32[5], actions=int32[5]); expected int32[]
def a_dtype_of_fields_of_one_size(w: Float32[N, D], batch: Batch) -> Int32[()]:
    return w[0, 0] * jnp.mean(batch.rewards + batch.actions)


class Square(NamedTuple):
    weight: Float[Array, "o i"]
    bias: Float[Array, " o"]


# here [3, 5]; the result is as declared for
def dims_in_the_other_order_of_a_layer(layer: Square, x: Float[Array, "b i"]) -> Float[Array, "i b"]:
    return x + jax.nn.relu(x @ layer.weight.T + layer.bias)


# returns float32[
def only_the_batch_of_a_layer(layer: Square, x: Float[Array, "b i"]) -> Float[Array, "b b"]:
    return x + jax.nn.relu(x @ layer.weight.T + layer.bias)


# returns float32[1, 2] in result[0] for x: float32[1, 2]; expected float32[N, N], here [1, 1]
def first_of_a_generator(x: Float32[N, M]) -> Generator[Float32[N, N], None, None]:
    while True:
        yield x * 2
