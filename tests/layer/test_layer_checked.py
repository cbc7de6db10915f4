"""`checked`: what it lets through, what it refuses, and what it says."""

from __future__ import annotations

import asyncio
import functools
import re
from typing import Any, Literal, TypeVar, TypeVarTuple

import jax
import numpy as np
import pytest

import jaxtyping_core as jc
import jaxtyping_core.numpy as lnp
from jaxtyping_core.typing import Array, Float16, Float32, Int32, floating

B, D, H = TypeVar("B"), TypeVar("D"), TypeVar("H")
F = TypeVar("F", bound=floating)
Bs = TypeVarTuple("Bs")


@lnp.checked
def project(x: Float32[B, D], w: Float32[D, H]) -> Float32[B, H]:
    return x @ w


def test_what_fits() -> None:
    assert project(lnp.ones((2, 8)), lnp.ones((8, 3))).shape == (2, 3)
    assert project(jax.numpy.ones((2, 8)), w=lnp.ones((8, 3))).shape == (2, 3)
    assert project.__name__ == "project"


def test_the_class_of_the_layer_annotates() -> None:
    @lnp.checked
    def scale(x: lnp.Array[lnp.float32, tuple[B, D]], by: Float32[B]) -> lnp.Array:
        return x * by[:, None]

    assert scale(lnp.ones((2, 3)), lnp.ones(2)).shape == (2, 3)
    with pytest.raises(jc.AnnotationError, match="the dim B is 2, here it is 3"):
        scale(lnp.ones((2, 3)), lnp.ones(3))


def test_the_message() -> None:
    with pytest.raises(jc.AnnotationError) as caught:
        project(lnp.ones((2, 8)), lnp.ones((9, 3)))
    assert str(caught.value) == (
        "project(): argument 'w' does not fit its annotation: the dim D is 8, here it is 9\n"
        "  x: Array[float32, tuple[B, D]], got float32[2, 8]\n"
        "  w: Array[float32, tuple[D, H]], got float32[9, 3]  <-\n"
        "  so far: B = 2, D = 8"
    )
    with pytest.raises(TypeError, match="the dtype is int32"):
        project(lnp.ones((2, 8), "int32"), lnp.ones((8, 3)))


def test_only_while_tracing() -> None:
    traced = []

    @lnp.jit
    @lnp.checked
    def f(x: Float32[B, D], y: Float32[B, D]) -> Float32[B, D]:
        traced.append(1)
        return x + y

    for _ in range(3):
        f(lnp.ones((2, 3)), lnp.ones((2, 3)))
    assert traced == [1]
    with pytest.raises(jc.AnnotationError, match="the dim B is 2, here it is 4"):
        f(lnp.ones((2, 3)), lnp.ones((4, 3)))
    plain = lnp.make_jaxpr(lambda x, y: x + y)(lnp.ones((2, 3)), lnp.ones((2, 3)))
    assert str(lnp.make_jaxpr(f.__wrapped__)(lnp.ones((2, 3)), lnp.ones((2, 3)))) == str(plain)


@lnp.checked
def many(
    first: Array[F, tuple[*Bs, D]],
    pair: tuple[Array[F], list[Int32[D]]],
    maybe: Float32[H, H] | None = None,
    *rest: Float32[Literal[2, 3]],
    untouched: int = 1,
    **named: Array[floating] | float,
) -> Array[F, tuple[*Bs]]:
    return lnp.sum(first, axis=-1)


half = lnp.ones((4, 5, 6), "float16")
ints = lnp.ones(6, "int32")

MISFITS: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    ((half, (lnp.ones(1), [ints])), {}, "the dtype F is float16, here it is float32"),
    ((half, (half, [ints, ints[1:]])), {}, "the dim D is 6, here it is 5"),
    ((half, (half, [half])), {}, "the dtype is float16"),
    ((half, [half, []]), {}, "expected tuple, got list(float16[4, 5, 6], list())"),
    ((half, (half, []), lnp.ones((2, 3))), {}, "the dim H is 2, here it is 3"),
    ((half, (half, []), 3), {}, "expected an array, got an int; expected NoneType, got an int"),
    ((half, (half, []), None, lnp.ones(4)), {}, "argument 'rest[0]'"),
    ((half, (half, []), None, lnp.ones(4)), {}, "the size of axis 0 is 4, not 2 or 3"),
    ((half, (half, [])), {"extra": "x"}, "argument 'extra'"),
    (
        (np.ones((2, 3), "float16"), (half, [])),
        {},
        "expected an array of JAX, got a NumPy array, float16[2, 3]",
    ),
    ((lnp.ones((), "float16"), (half, [])), {}, "it has 0 dims, not 1 or more"),
]


def test_everything_at_once() -> None:
    assert many(half, (half, [ints]), lnp.eye(2), lnp.ones(2), lnp.ones(3), extra=1.0).shape == (4, 5)
    assert many(half, (half, [])).dtype == "float16"


@pytest.mark.parametrize(("args", "kwargs", "message"), MISFITS)
def test_misfits(args: tuple[Any, ...], kwargs: dict[str, Any], message: str) -> None:
    with pytest.raises(jc.AnnotationError, match=re.escape(message)):
        many(*args, **kwargs)


def test_the_result() -> None:
    @lnp.checked
    def wrong(x: Float32[B, D]) -> Float32[D, B]:
        return x

    with pytest.raises(
        jc.AnnotationError, match="the result does not fit its annotation: the dim D is 3, here it is 2"
    ):
        wrong(lnp.ones((2, 3)))
    assert wrong(lnp.ones((2, 2))).shape == (2, 2)


def pairs(pair: tuple[Float32[B], Float32[B]]) -> None: ...


def nested(params: dict[str, dict[str, Float32[B]]]) -> None: ...


def either(x: Float32[B] | Float16[B]) -> None: ...


def starred(arrays: tuple[Float32[B], *tuple[Float32[B, D], ...]]) -> None: ...


PLACES: list[tuple[Any, Any, str]] = [
    (pairs, (lnp.ones(2),), "expected a tuple of 2, got one of 1"),
    (pairs, (lnp.ones(2), lnp.ones(3)), "at [1]: the dim B is 2, here it is 3"),
    (starred, (), "expected a tuple of 1, got one of 0"),
    (starred, (lnp.ones(2), lnp.ones((2, 3)), lnp.ones((2, 4))), "at [2]: the dim D is 3, here it is 4"),
    (starred, (lnp.ones(2), 3), "at [1]: expected an array, got an int"),
    (nested, {"p": {"w": lnp.ones(2), "v": lnp.ones(3)}}, "at ['p']['v']: the dim B is 2, here it is 3"),
    (either, lnp.ones(2, "int32"), "annotation: the dtype is int32\n"),
]


@pytest.mark.parametrize(("function", "value", "message"), PLACES)
def test_places(function: Any, value: Any, message: str) -> None:
    with pytest.raises(jc.AnnotationError, match=re.escape(message)):
        lnp.checked(function)(value)


def test_coroutines() -> None:
    async def later(x: Float32[B], give: Any) -> Float32[B]:
        return give

    checked = lnp.checked(later)
    good = lnp.ones(3)
    assert asyncio.run(checked(good, good)) is good
    with pytest.raises(
        jc.AnnotationError, match="the result does not fit its annotation: the dim B is 3, here it is 4"
    ):
        asyncio.run(checked(good, lnp.ones(4)))
    with pytest.raises(jc.AnnotationError, match="argument 'x'"):
        asyncio.run(checked(lnp.ones(3, "int32"), good))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (classmethod(pairs), "got a classmethod. Write @checked below @classmethod"),
        (staticmethod(pairs), "got a staticmethod. Write @checked below @staticmethod"),
        (functools.partial(pairs), "got a partial. Decorate the function inside of it."),
        (dict, "got the class dict. Decorate its methods one by one."),
    ],
)
def test_what_is_no_function(value: Any, message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        lnp.checked(value)
