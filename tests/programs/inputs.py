"""Functions that take what JAX converts: arrays of NumPy, and Python's numbers.

zuban does not solve the type variables of a jitted function.
"""

from typing import Any, Literal, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt
from typing_extensions import reveal_type

from jaxtyping_core.typing import Array, ArrayLike, Float32, Like, bfloat16, floating

B = TypeVar("B")
D = TypeVar("D")
H = TypeVar("H")


def project(x: Like[Float32[B, D]], w: Float32[D, H]) -> Float32[B, H]:
    a: Float32[B, D] = jnp.asarray(x)
    reveal_type(a)  # Array[float32, tuple[B, D]]
    return a @ w


@jax.jit
def project_jitted(x: Like[Float32[B, D]], w: Float32[D, H]) -> Float32[B, H]:
    a: Float32[B, D] = jnp.asarray(x)
    return a @ w


def of_numpy(x: npt.NDArray[np.float32], batch: np.ndarray[tuple[int, int], np.dtype[np.float64]], w: Float32[D, H]) -> None:
    y = project(x, w)
    reveal_type(y)  # Array[float32, tuple[Any, H]]
    z = project(batch, w)
    reveal_type(z)  # Array[float32, tuple[Any, H]]
    jitted = project_jitted(batch, w)  # error in zuban
    reveal_type(jitted)  # Array[float32, tuple[Any, H]]
    ones = project(np.ones((2, 3)), jnp.ones((3, 4)))
    reveal_type(ones)  # Array[float32, tuple[Any, Any]]


def of_jax(x: Float32[B, D], w: Float32[D, H], v: Float32[H, D], anything: jax.Array) -> None:
    y = project(x, w)
    reveal_type(y)  # Array[float32, tuple[B, H]]
    z = project(anything, w)
    reveal_type(z)  # Array[float32, tuple[Any, H]]
    print(project(x, v))  # error
    print(project([1.0, 2.0], w))  # error
    print(project(2.0, w))  # error


def at_once(x: Like[Float32[B, D]], w: Float32[D, H], y: Like[Float32[B, H]]) -> Array:
    error = y - x @ w
    other = x @ w - y
    print(jnp.dot(x, w), jnp.tanh(x), jnp.argmax(y, axis=1))
    squares = error**2
    reveal_type(jnp.mean(squares))  # Array[float32, tuple[()]], open in ty, zuban
    reveal_type(jnp.mean(other))  # Array[float32, tuple[()]], open in ty
    return jnp.dot(x, w)


def of_a_batch(batch: tuple[Like[Float32[B, D]], Like[Float32[B]]], w: Float32[D]) -> Float32[B]:
    x, y = batch
    return x @ w - y


def of_another_dtype(x: Array[bfloat16, tuple[B, D]], w: Float32[D, H]) -> None:
    print(project(x, w))  # error


def of_any_float(x: Like[Array[floating]], y: Like[Float32[Any, Literal[3]]]) -> Array:
    return jnp.asarray(x) + jnp.asarray(y).sum()


@jax.jit
def decay(x: Float32[B], t: float | Float32[()]) -> Float32[B]:
    reveal_type(x * t)  # Array[float32, tuple[B]]
    return x * t + jnp.exp(-t)


def scalars(x: Float32[B], loss: Float32[()], anything: jax.Array) -> None:
    print(decay(x, 0), decay(x, 0.5), decay(x, loss), decay(x, anything), decay(x, x.sum()))
    print(decay(x, "0"))  # error


def constant(value: ArrayLike) -> Array:
    return jnp.asarray(value) * 2


def handed_on(theta: ArrayLike, x: ArrayLike, xs: list[ArrayLike], w: Array) -> float:
    y = theta * x
    print(theta + x, theta - 2 * x, w * x, x / w, constant(theta), constant(y), jnp.dot(x, w), jnp.stack(xs), jnp.where(w > 0, x, w))
    print(w.at[:].set(x), w.at[0].apply(constant), jax.vmap(constant)(w), jnp.apply_over_axes(summed, w, [0]))
    if isinstance(x, jax.Array):
        return float(x.sum())
    return float(x.sum()) if isinstance(x, np.ndarray) else 0.0


def summed(x: ArrayLike, axis: int) -> Array:
    return jnp.sum(x, axis, keepdims=True)


if __name__ == "__main__":
    x, w, n = jnp.ones((2, 3)), jnp.ones((3, 4)), np.ones((2, 3))
    of_numpy(n.astype(np.float32), n, w)
    print(project(x, w), project_jitted(n, w))
    print(of_any_float(n, n), of_any_float(x, x))
    print(decay(x[0], 0), decay(x[0], 0.5), decay(x[0], x.sum()))
    print(constant(1), constant(n), constant(np.float32(1)))
    print(handed_on(2.0, x[0], [n, n], w[:, 0]))
