"""Named dims, as users write them. A line that a type checker must report ends in a mark.

mypy lets the declared result of ``return y + y`` decide what the operands are compared with.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeAlias, TypeVar

import jax
import jax.numpy as jnp

from jaxtyping_core.typing import Array, BFloat16, Float32, Int32, bfloat16, float32, floating

B = TypeVar("B")
D = TypeVar("D")
H = TypeVar("H")
I = TypeVar("I")
O = TypeVar("O")
DT = TypeVar("DT", bound=floating)


def project(x: Float32[B, D], w: Float32[D, H]) -> Float32[B, H]:
    return x @ w


def project_and_add(x: Float32[B, D], w: Float32[D, H], b: Float32[B, H]) -> Float32[B, H]:
    return jax.nn.relu(x @ w) * 2.0 + b


def project_each(x: Float32[B, D], w: Float32[O, D, H]) -> Float32[O, B, H]:
    return x @ w


def transpose(x: Float32[B, D]) -> Float32[D, B]:
    return x.T


def swapped_in_body(x: Float32[B, D], w: Float32[D, H]) -> Float32[B, H]:
    return w @ x  # error


def swapped_result(x: Float32[B, D], w: Float32[D, H]) -> Float32[H, B]:
    return x @ w  # error


def swapped_at_call(x: Float32[B, D], w: Float32[D, H]) -> None:
    project(w, x)  # error


def mixed(x: Float32[B, D], y: Float32[D, B]) -> None:
    project(x, x)  # error
    project(x, y)


def same_shape(x: Float32[B, D], y: Float32[B, D]) -> Float32[B, D]:
    return x + y * 2 - jnp.sin(x)


def other_shape(x: Float32[B, D], y: Float32[B, H]) -> Float32[B, D]:
    return y + y  # error


def reduced(x: Float32[B, D]) -> Float32[B]:
    return x.sum(axis=-1)


def reduced_wrongly(x: Float32[B, D]) -> Float32[B]:
    return x.sum(axis=0)  # error


def reduced_function(x: Float32[B, D]) -> Float32[D]:
    return jnp.mean(x, axis=0)


def promoted(x: BFloat16[B, D], y: Float32[B, D]) -> Float32[B, D]:
    return x * y


def promoted_wrongly(x: BFloat16[B, D], y: Float32[B, D]) -> BFloat16[B, D]:
    return x * y  # error


def any_dtype(x: Array[DT, tuple[B]]) -> Array[DT, tuple[B]]:
    return x + x * 2.0


def wrong_dtype(x: Float32[B], y: BFloat16[B]) -> None:
    a: Float32[B] = any_dtype(x)
    b: Float32[B] = any_dtype(y)  # error


Batch: TypeAlias = Float32[B, D]
Matrix: TypeAlias = Array[DT, tuple[B, D]]


def through_alias(x: Batch[B, D], w: Matrix[float32, D, H]) -> Batch[B, H]:
    return project(x, w)


def through_alias_wrongly(x: Batch[B, D], w: Matrix[float32, D, H]) -> Batch[H, B]:
    return project(x, w)  # error


def apply(f: Callable[[Float32[B, D]], Float32[B, H]], x: Float32[B, D]) -> Float32[B, H]:
    return f(x)


def through_callable(x: Float32[B, D], w: Float32[D, H]) -> Float32[B, H]:
    return apply(lambda y: project(y, w), x)


class Linear(Generic[I, O]):
    def __init__(self, weight: Float32[I, O], bias: Float32[O]) -> None:
        self.weight = weight
        self.bias = bias

    def __call__(self, x: Float32[B, I]) -> Float32[B, O]:
        return x @ self.weight + self.bias


class MLP(Generic[I, H, O]):
    def __init__(self, first: Linear[I, H], second: Linear[H, O]) -> None:
        self.first = first
        self.second = second

    def __call__(self, x: Float32[B, I]) -> Float32[B, O]:
        return self.second(jax.nn.relu(self.first(x)))

    def wrong(self, x: Float32[B, I]) -> Float32[B, O]:
        return self.first(x)  # error

    def wrong_order(self, x: Float32[B, I]) -> Float32[B, H]:
        return self.second(x)  # error


def unknown(x: Array, y: Array[float32]) -> Float32[B, D]:
    """What is not known is never an error."""
    a = project(x, y)
    b = x + a
    return project(b, y)


def indices(i: Int32[B], x: Float32[B, D]) -> Float32[D]:
    return x[0]


if __name__ == "__main__":
    x, w = jnp.ones((2, 3)), jnp.ones((3, 4))
    project_and_add(x, w, jnp.ones((2, 4)))
    same_shape(x, x), reduced(x), reduced_function(x), transpose(x)
    promoted(x.astype(bfloat16), x)
    any_dtype(jnp.ones(3))
    through_alias(x, w), through_callable(x, w)
    MLP(Linear(w, jnp.ones(4)), Linear(jnp.ones((4, 2)), jnp.ones(2)))(x)
    unknown(jnp.ones((2, 2)), jnp.ones((2, 2)))
    indices(jnp.arange(2), x)
