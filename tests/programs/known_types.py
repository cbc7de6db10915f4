"""What checkers know of arrays. Every line holds in pyright."""

from typing import Any, Literal, TypeVar

import jax
import jax.numpy as jnp
from jax._src.numpy.linalg import QRResult, SVDResult
from jaxtyping_core.typing import (
    Array,
    BFloat16,
    Float8E4M3FN,
    Float32,
    Floating,
    NamedShape,
    Shape,
    Shaped,
    ShapeLike,
    UInt8,
    bfloat16,
    bool_,
    float8_e4m3fn,
    float32,
    floating,
    generic,
    int32,
    uint8,
)
from typing_extensions import assert_type

B = TypeVar("B")
D = TypeVar("D")


def partly_known(x: Float32[B, Literal[3]], unknown: jax.Array) -> None:
    """What is known of one array of a list is not taken for what holds for all."""
    known: Array[float32] = jnp.stack([x, x])
    stacked: Array[bfloat16] = jnp.stack([x, unknown])
    joined: Array[bfloat16] = jnp.concatenate([unknown, x, x])
    whole: Array[bfloat16] = jnp.array([x, unknown])
    pair: Array[bfloat16] = jnp.stack((unknown, x))
    soft: Float32[B] = jax.nn.celu(unknown, alpha=0.5)


def one_class(x: jax.Array, y: Array, z: jnp.ndarray) -> None:
    assert_type(x, Array[Any, Any])
    assert_type(y, jax.Array)
    assert_type(z, Array)


def aliases(
    x: Float32[B, D], y: BFloat16[Literal[3]], z: UInt8, s: Shaped, f: Floating, q: Float8E4M3FN
) -> None:
    assert_type(x, Array[float32, tuple[B, D]])
    assert_type(y, Array[bfloat16, tuple[Literal[3]]])
    assert_type(z, Array[uint8, tuple[Any, ...]])
    assert_type(s, Array[generic, tuple[Any, ...]])
    assert_type(f, Array[floating, tuple[Any, ...]])
    assert_type(q, Array[float8_e4m3fn, tuple[Any, ...]])


def scalar_alias(x: "Float32[()]") -> None:
    assert_type(x.shape, tuple[int, ...])


def any_rank(x: Float32, y: Float32[B, D]) -> None:
    """Nothing is known of the rank: no row for a certain one may be taken."""
    assert_type(x[0], Array[float32, Any])
    assert_type(x[None], Array[float32, Any])
    assert_type(x[:, 0], Array[float32, Any])
    assert_type(x.T, Array[float32, Any])
    assert_type(x @ x, Array[float32, Any])
    assert_type(x + y, Array[float32, Any])
    assert_type(x.sum(axis=0), Array[float32, Any])


def unions(x: Float32[B], scale: int | float, factor: Float32[B] | float) -> None:
    assert_type(x * scale, Array[float32, tuple[B]])
    assert_type(scale - x, Array[float32, tuple[B]])
    assert_type(x / factor, Array[float32, tuple[B]])


def methods(x: Float32[B, D]) -> Float32[D, B]:
    assert_type(-x, Array[float32, tuple[B, D]])
    assert_type(x.copy(), Array[float32, tuple[B, D]])
    assert_type(x.at[0].set(1.0), Array[float32, tuple[B, D]])
    assert_type(x.at[0].get(), Array[float32, Any])
    assert_type(x.shape, tuple[int, ...])
    return x.T


def functions(x: Array) -> None:
    assert_type(jnp.add(x, 1), Array)
    assert_type(jnp.add.reduce(x), Array)
    assert_type(jnp.isnan(x), Array[bool_, Any])
    assert_type(jnp.where(x > 0, x, 0), Array)
    assert_type(jnp.linalg.svd(x), SVDResult)
    assert_type(jnp.linalg.svd(x, compute_uv=False), Array)
    assert_type(jnp.linalg.qr(x), QRResult)
    assert_type(jnp.fft.fft(x), Array)
    assert_type(jax.nn.relu(x), Array)


def made_in_place(key: Array, n: int) -> None:
    # Not inside of `assert_type`, which tells pyright what to expect of a call.
    scaled = jnp.exp(jnp.ones((n, 3)))
    assert_type(scaled, Array[float32, tuple[Any, Any]])
    drawn = jnp.exp(jax.random.normal(key, (n, 3)))  # of any rank: see docs/explanation/precision.md
    assert_type(drawn, Array[float32, Any])
    total = jnp.sum(jnp.arange(n))
    assert_type(total, Array[int32, tuple[()]])
    mean = jnp.mean(jnp.ones(n, jnp.bfloat16))
    assert_type(mean, Array[bfloat16, tuple[()]])


def several_results(x: Array) -> None:
    # Not the types themselves: pyright also knows the ranks.
    indices: tuple[Array[int32], ...] = jnp.where(x)
    points: tuple[Array[float32], Array[float32]] = jnp.linspace(0, 1, retstep=True)
    averages: tuple[Array, Array] = jnp.average(x, returned=True)
    sums: tuple[Array, Array] = jax.nn.logsumexp(x, return_sign=True)


def dtypes() -> None:
    assert_type(jnp.floating, type[floating])


def named() -> None:
    shape = NamedShape(rows=3, columns=4)
    assert_type(shape.rows, int)
    assert_type(shape["rows"], int)
    assert_type(shape[0], int)
    assert_type(shape[:1], tuple[int, ...])
    assert_type(shape.names, tuple[str, ...])


def inputs(shape: Shape, wide: ShapeLike) -> None:
    wide = shape
    assert_type(shape, tuple[int, ...])
