"""`assume`: what a caller may pass is as declared, whichever sizes stand for the names."""

from __future__ import annotations

import collections
from typing import Any, Literal, NamedTuple, TypeVar

import jax
import jaxtyping
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.test_check import forms
from jaxtyping_core.contracts.assuming import (
    KEYS,
    Instance,
    Mapped,
    Number,
    OneOf,
    Several,
    Symbols,
    assume,
    assume_form,
)
from jaxtyping_core.contracts.axes import Axis
from jaxtyping_core.contracts.binding import Environment, Excluded, Shape, Size
from jaxtyping_core.contracts.checking import check
from jaxtyping_core.contracts.forms import Items
from jaxtyping_core.contracts.reading import Reader, read_signature
from jaxtyping_core.contracts.values import OPEN
from jaxtyping_core.contracts.verdicts import Violated
from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.typing import Array, Float32, Floating, weak_float

N = TypeVar("N", bound=int)
D = TypeVar("D", bound=Literal[3])
VECTOR: Any = jaxtyping.Float32[jax.Array, "n"]
LONGER: Any = jaxtyping.Float32[jax.Array, "n+1"]


class Drawn(Symbols):
    """Numbers for the names: each is another one."""

    def __init__(self, sizes: list[int], axes: int) -> None:
        self._left, self._axes = sizes, axes
        self._known: dict[str, int] = collections.defaultdict(lambda: self._left.pop())

    def of(self, name: str, allowed: frozenset[int] | None = None) -> Size:
        return self._known[name]

    def or_one(self, shape: Shape) -> Shape:
        return (1,) * len(shape) if self._left.pop() % 2 else shape

    def count(self, axis: Axis, path: str) -> int:
        return self._axes


@given(forms(), forms(), st.lists(st.integers(1, 5), min_size=40, max_size=40), st.integers(0, 2))
def test_what_is_assumed_is_as_declared(first: Any, second: Any, sizes: list[int], axes: int) -> None:
    form = Items((first, second))
    arguments = {"k": 2}
    try:
        value = assume_form(form, Drawn(sizes, axes), Environment(arguments=arguments))
        assert not isinstance(check(form, value, Environment(arguments=arguments)), Violated)
    except Excluded:
        return


@given(forms())
def test_symbols_are_as_declared(form: Any) -> None:
    value = assume_form(form, Symbols(), Environment())
    assert not isinstance(check(form, value, Environment()), Violated)


def array(*sizes: Size, dtype: str = "float32", weak: bool = False) -> AbstractArray:
    return AbstractArray.of(dtype, weak, sizes)


class Point(NamedTuple):
    x: VECTOR
    y: VECTOR


FLOATS = AbstractArray.of(None, False, ("n",)).dtypes


@pytest.mark.parametrize(
    ("annotation", "value"),
    [
        (VECTOR, array("n")),
        (Float32[N, D], array("N", 3)),
        (jaxtyping.Float32[jax.Array, "n 2*n+1 #m 3 _"], array("n", "2*n + 1", None, 3, None)),
        (jaxtyping.Float32[jax.Array, "*b n"], AbstractArray.of("float32", False, None)),
        (jaxtyping.Float32[jax.Array, "{k}"], array(None)),
        (jax.Array, AbstractArray()),
        (jaxtyping.Key[jax.Array, ""], AbstractArray(KEYS, False, ())),
        (Array[weak_float, tuple[N]], AbstractArray(frozenset({"float32", "float64"}), True, ("N",))),
        (tuple[VECTOR, int], (array("n"), Number(int))),
        (N, Number(int, "N")),
        (VECTOR | None, OneOf((array("n"), None))),
        (list[VECTOR], Several(list, array("n"))),
        (dict[str, VECTOR], Mapped(str, array("n"))),
        (Literal["a", "b"], OneOf(("a", "b"))),
        (Point, Instance(Point, {"x": array("n"), "y": array("n")})),
        (Any, OPEN),
    ],
)
def test_values(annotation: Any, value: Any) -> None:
    assert assume_form(Reader().read(annotation), Symbols(), Environment()) == value


def test_a_class_of_dtypes_stays_one() -> None:
    made = assume_form(Reader().read(Floating[N]), Symbols(), Environment())
    assert made.dtypes >= {"float32", "bfloat16"} and "int32" not in made.dtypes


def test_a_signature() -> None:
    def f(x: LONGER, n: N, y: float = 1.0, *rest: Any) -> None: ...

    dims = Environment()
    made = assume(read_signature(f, names={"N": N}), Symbols(), dims)
    assert made == {"x": array("n + 1"), "n": Number(int, "N")}
    assert dims.sizes == {"N": "N", "n": "n"}
