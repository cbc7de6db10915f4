"""Dims that are unknown, and sizes that a program computes with."""

import math
from typing import Any, Generic, Literal, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
from typing_extensions import reveal_type

from jaxtyping_core.typing import Array, Float32

B = TypeVar("B")
D = TypeVar("D")
I = TypeVar("I", bound=int)
O = TypeVar("O", bound=int)


def three(x: Float32[Literal[3]]) -> Float32[Literal[3]]:
    return x


def named(x: Float32[B]) -> Float32[B]:
    return x


def unknown(x: Float32[Any]) -> Float32[Any]:
    return x


def of_unknown_size(a: Float32[Any], b: Float32[Literal[3]], c: Float32[B], n: int) -> None:
    print(
        three(a),
        named(a),
        unknown(b),
        unknown(c),
        unknown(jnp.zeros(3)),
        three(jnp.zeros(n)),
        a + b,
        b + c.sum(),
    )


def of_unknown_shape(shape: Any, n: int) -> None:
    reveal_type(jnp.zeros(shape, jnp.float32))  # Array[float32, Any], open in zuban
    reveal_type(jnp.ones((*shape, n)))  # Array[float32, Any]


def of_any_length(a: np.ndarray, x: jax.Array, key: jax.Array, n: int, *shape: Any) -> None:
    """The shape of an array of NumPy, and what has something unknown in it, may be of any length."""
    reveal_type(jax.random.normal(key, a.shape))  # Array[float32, Any], open in zuban
    reveal_type(jax.random.uniform(key, (*shape, n)))  # Array[float32, Any]
    reveal_type(jax.random.randint(key, a.shape, 0, 3))  # Array[int32, Any], open in zuban
    reveal_type(jnp.full(a.shape, 0.0))  # Array[weak_float, Any]
    reveal_type(jnp.reshape(x, a.shape))  # Array[Any, Any]
    reveal_type(jnp.broadcast_to(x, (*shape, n)))  # Array[Any, Any]
    reveal_type(jnp.zeros_like(x, shape=a.shape))  # Array[Any, Any]
    reveal_type(jax.nn.initializers.zeros(key, a.shape))  # Array[float32, Any], open in zuban
    reveal_type(jax.nn.initializers.normal()(key, a.shape))  # Array[float32, Any], open in zuban
    reveal_type(jax.random.normal(key, (n, 3)) @ jnp.full((3, n), 1.0))  # Array[float32, tuple[Any, Any]], open in zuban


def of_fractions(n: int) -> None:
    """Every size is an int."""
    print(jnp.zeros((n // 2, round(n / 2), n)), jnp.ones([n]), jnp.full((3, int(n * 0.5)), -jnp.inf))
    print(jnp.zeros((n / 2,)))  # error in pyright, basedpyright
    print(jnp.full((n / 2, 3), 0.0))  # error in pyright, basedpyright


def of_builtin_dtypes(x: Float32[B, D]) -> None:
    reveal_type(x.astype(int))  # Array[int32, tuple[B, D]]
    reveal_type(x.astype(bool))  # Array[bool_, tuple[B, D]]
    reveal_type(x.astype(float))  # Array[float32, tuple[B, D]]


def of_int(a: Float32[int], b: Float32[Literal[3]], c: Float32[B]) -> None:
    """`int` is no unknown size."""
    print(unknown(a), named(a))
    print(three(a))  # error
    print(int_size(b))  # error
    print(int_size(c))  # error


def int_size(x: Float32[int]) -> Float32[int]:
    return x


class Linear(Generic[I, O]):
    def __init__(self, key: Array, in_features: I, out_features: O) -> None:
        self.limit = in_features**0.5 / math.sqrt(out_features)
        self.weight: Float32[I, O] = jax.random.uniform(key, (in_features, out_features), jnp.float32)

    def __call__(self, x: Float32[B, I]) -> Float32[B, O]:
        return x @ self.weight


def scores(x: Float32[B, D]) -> Float32[B, B]:
    _, d = x.shape
    y: Float32[B, D] = x / d
    reveal_type(y)  # Array[float32, tuple[B, D]]
    return y @ y.T


def hidden(x: Float32[B, D]) -> Float32[B, D]:
    B, D = x.shape
    _y: Float32[B, D] = x / B  # error
    return x / D


if __name__ == "__main__":
    x = jnp.ones((2, 3))
    of_unknown_size(x[0], x[0], x[0], 3)
    of_unknown_shape((2,), 3)
    of_any_length(np.ones((2, 3)), x, jax.random.key(0), 3, 2)
    of_builtin_dtypes(x)
    print(Linear(jax.random.key(0), 3, 4)(x), scores(x), hidden(x))
