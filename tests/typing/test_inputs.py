"""The types of inputs accept what JAX accepts: JAX itself is asked."""

from __future__ import annotations

import fractions
import pickle
import typing
from typing import Any, Literal, TypeVar

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest

from jaxtyping_core import dtypes
from jaxtyping_core import typing as jt
from jaxtyping_core.typing import Array, ArrayLike, DTypeLike, Float32, Like, NamedShape, ShapeLike

B = TypeVar("B")
D = TypeVar("D")


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


@pytest.mark.parametrize("x64", [False, True])
# JAX traces arrays of strings, which have a class of no dtype, and computes nothing with them.
@pytest.mark.parametrize("name", [name for name in dtypes.available() if name != "StringDType"])
def test_like_knows_what_jax_converts_to(name: str, x64: bool) -> None:
    value = np.zeros((2, 3), dtypes.numpy_dtype(name))
    with jax.enable_x64(x64):
        try:
            converted = jax.eval_shape(jnp.asarray, value)
        except (TypeError, ValueError):
            assert not isinstance(value, Like[Array])
            return
        assert isinstance(value, Like[Array])
        for alias in ALIASES:
            expected = alias.__args__[0].dtype == converted.dtype
            assert isinstance(value, Like[alias]) is expected, alias


ALIASES = [
    getattr(jt, row.alias)
    for row in dtypes.DTYPES.values()
    if row.name in dtypes.available() and row.promotes
]


def test_like_knows_shapes() -> None:
    square = Like[Float32[B, B]]
    for shape, fits in [((2, 2), True), ((2, 3), False), ((2,), False)]:
        assert isinstance(np.zeros(shape), square) is isinstance(jnp.zeros(shape), square) is fits
    assert isinstance(np.float64(1), Like[Float32[()]])
    assert not isinstance(np.float64(1), Like[Float32[B]])
    assert not isinstance(1.0, Like[Float32[()]])
    assert not isinstance(np.float32(1), Like[Array[jt.weak_float]])


def test_like_is_an_annotation() -> None:
    batch = Like[Float32[B, D]]
    assert batch is Like[Float32[B, D]]
    assert batch[Literal[2], D] is Like[Float32[Literal[2], D]]
    assert str(batch) == "Like[Array[float32, tuple[B, D]]]"
    assert pickle.loads(pickle.dumps(batch)) is batch
    assert isinstance(None, batch | None)


@pytest.mark.parametrize("wrong", [jt.float32, 3, Float32 | None])
def test_like_takes_annotations_of_arrays(wrong: Any) -> None:
    with pytest.raises(
        TypeError, match=r"^Like takes an array annotation, got .+ Write Like\[Float32\[B, D\]\]\.$"
    ):
        Like[wrong]


def test_like_makes_nothing() -> None:
    with pytest.raises(TypeError, match=r"^Like\[Array\] is an annotation and cannot create arrays"):
        Like[Array](np.ones(3))
    with pytest.raises(TypeError, match=r"^Mine cannot inherit from Like"):
        type("Mine", (Like,), {})


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
    assert typing.get_args(jt.Shape) == (int, ...)
    values: list[Any] = [x.shape, (), (2, "a"), [2], 2, None]
    assert [isinstance(value, jt.Shape) for value in values] == [True, True, False, False, False, False]
    assert isinstance(x.shape, jt.Shape | None)
    assert pickle.loads(pickle.dumps(jt.Shape)) == jt.Shape
