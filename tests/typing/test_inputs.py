"""The types of inputs accept what JAX accepts: JAX itself is asked."""

from __future__ import annotations

import fractions
from typing import Any

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from jaxtyping_core import dtypes
from jaxtyping_core import typing as jt
from jaxtyping_core.typing import ArrayLike, DTypeLike, NamedShape, ShapeLike


def accepted(function: Any, value: Any) -> bool:
    """Whether JAX takes `value`; it refuses by TypeError or ValueError."""
    try:
        function(value)
    except (TypeError, ValueError):
        return False
    return True


SCALARS = [dtypes.numpy_dtype(n).type(1) for n in dtypes.available() if dtypes.DTYPES[n].promotes]
ARRAYS = [jnp.ones(2), np.ones(2), True, 1, 1.0, 1j, *SCALARS]
NO_ARRAYS = [
    [1.0],
    (1.0,),
    {},
    None,
    "x",
    b"x",
    fractions.Fraction(1),
    object(),
    float,
    np.str_("x"),
    range(2),
]


@pytest.mark.parametrize("value", [*ARRAYS, *NO_ARRAYS], ids=lambda v: f"{type(v).__name__}-{v!r:.20}")
def test_array_like(value: Any) -> None:
    with jax.enable_x64(True):
        # Traced only: a device may lack the dtype.
        taken = accepted(lambda v: jax.eval_shape(lambda: jnp.atleast_1d(v)), value)
    assert isinstance(value, ArrayLike) is taken


def test_tracers_are_array_like() -> None:
    seen: list[bool] = []
    jax.eval_shape(lambda x: seen.append(isinstance(x, ArrayLike)), jnp.ones(2))
    assert seen == [True]


def test_array_like_has_every_scalar_type() -> None:
    assert isinstance(ml_dtypes.bfloat16(1), ArrayLike)
    assert len(SCALARS) > 25


DTYPES = [
    *("float32", "int8", "bool", "bfloat16"),
    *(bool, int, float, complex),
    *(np.float32, np.bool_, np.dtype("int8"), ml_dtypes.bfloat16),
    *(jnp.float32, jnp.bool_, jnp.bfloat16, jt.float32, jt.bool_, jt.bfloat16),
]
NO_DTYPES = [3, 1.5, ("float32",), ["float32"], {}]


@pytest.mark.parametrize("value", [*DTYPES, *NO_DTYPES], ids=repr)
def test_dtype_like(value: Any) -> None:
    assert isinstance(value, DTypeLike) is accepted(lambda v: jnp.zeros(2, v), value)


@pytest.mark.parametrize(
    "value", [jnp.ones(2), np.ones(2), np.float32(1), jax.ShapeDtypeStruct((), "int8")], ids=repr
)
def test_what_has_a_dtype_is_dtype_like(value: Any) -> None:
    assert isinstance(value, DTypeLike)
    assert isinstance(jnp.dtype(value.dtype), jt.DType)


SHAPES = [
    3,
    np.int32(3),
    True,
    (),
    (2, 3),
    [2, 3],
    range(2, 4),
    NamedShape(a=2),
    (np.int64(2), 3),
    jnp.int32(2),
]
NO_SHAPES = [1.5, np.float32(2), (1.5,), "ab", b"ab", ("a",), {2, 3}, (x for x in (2, 3)), (None,)]


@pytest.mark.parametrize("value", [*SHAPES, *NO_SHAPES], ids=lambda v: f"{type(v).__name__}-{v!r:.20}")
def test_shape_like(value: Any) -> None:
    assert isinstance(value, ShapeLike) is accepted(jnp.zeros, value)


def test_output_types() -> None:
    x = jnp.ones((2, 3))
    assert isinstance(x.dtype, jt.DType)
    assert jt.Shape == tuple[int, ...]
    assert isinstance(x.shape, tuple)
