"""`check`: what is said of a value of which not all is known holds for every value that it may be."""

from __future__ import annotations

import itertools
from typing import Any

import jax
import jax.numpy as jnp
import jaxtyping
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtyping_core.contracts.binding import Environment, same
from jaxtyping_core.contracts.checking import check
from jaxtyping_core.contracts.dim_strings import DimStringError, parse
from jaxtyping_core.contracts.forms import ArrayForm, Form, Items, Union
from jaxtyping_core.contracts.reading import Reader
from jaxtyping_core.contracts.values import OPEN
from jaxtyping_core.contracts.verdicts import PROVEN, UNKNOWN, Verdict, Violated
from jaxtyping_core.domain.arrays import TOP, AbstractArray
from jaxtyping_core.typing import Array, Floating, float32, weak_float

SIZES = (1, 2, 3)
WORDS = st.sampled_from(["n", "m", "2", "_", "#n", "n+m", "n-1", "*b", "*#b", "...", "{k}"])
DTYPES = ("float32", "int32")
VECTOR: Any = jaxtyping.Float[jax.Array, "n"]
INTS: Any = jaxtyping.Int[jax.Array, "m"]
SQUARE: Any = jaxtyping.Float[jax.Array, "n n"]


def read(annotation: Any) -> Form:
    return Reader().read(annotation)


def of(*sizes: int | str | None, dtype: str | None = "float32") -> AbstractArray:
    return AbstractArray.of(dtype, False, sizes)


@st.composite
def forms(draw: st.DrawFn) -> ArrayForm:
    text = " ".join(draw(st.lists(WORDS, max_size=3)))
    kind = draw(st.sampled_from([jaxtyping.Float, jaxtyping.Shaped]))
    try:
        parse(text)
    except DimStringError:  # two words that stand for several axes
        text = "n"
    form = read(kind[jax.Array, text])
    assert isinstance(form, ArrayForm)
    return form


arrays = st.builds(
    lambda dtype, sizes: AbstractArray.of(dtype, False, tuple(sizes)),
    st.sampled_from(DTYPES),
    st.lists(st.sampled_from(SIZES), max_size=3),
)


@st.composite
def parts_of(draw: st.DrawFn, array: AbstractArray) -> AbstractArray:
    """What is left of an array where some is forgotten."""
    assert array.shape is not None
    sizes = tuple(draw(st.sampled_from([size, None])) for size in array.shape)
    return AbstractArray(draw(st.sampled_from([array.dtypes, frozenset(DTYPES), None])), False, sizes)


def verdict(form: Form, value: Any) -> Verdict | None:
    try:
        return check(form, value, Environment(arguments={"k": 2}))
    except Exception:
        return None  # the annotations exclude the call


@given(st.data())
def test_what_is_forgotten_makes_no_verdict_wrong(data: st.DataObject) -> None:
    pair = [(data.draw(forms()), data.draw(arrays)) for _ in range(2)]
    form = Items(tuple(form for form, _ in pair))
    whole = verdict(form, tuple(array for _, array in pair))
    part = verdict(form, tuple(data.draw(parts_of(array)) for _, array in pair))
    if whole is None or part is None or part == UNKNOWN:
        return
    assert isinstance(part, Violated) == isinstance(whole, Violated)


@given(st.data())
def test_all_of_an_array_tells(data: st.DataObject) -> None:
    form, array = data.draw(forms()), data.draw(arrays)
    said = verdict(form, array)
    names = {name for axis in form.axes or () for name in axis.symbols}
    if said == UNKNOWN:
        assert any(axis.formula for axis in form.axes or ()), (form.text, array, names)


@pytest.mark.parametrize(
    ("annotation", "value", "expected"),
    [
        (SQUARE, of(2, 2), PROVEN),
        (SQUARE, of("B", "B"), PROVEN),
        (SQUARE, of("B", "D"), None),
        (SQUARE, of("B", "D+1"), UNKNOWN),
        (SQUARE, of(2, None), UNKNOWN),
        (SQUARE, of(2, None, 3), None),
        (VECTOR, of(2, dtype=None), UNKNOWN),
        (VECTOR, of(2, dtype="int32"), None),
        (
            VECTOR,
            AbstractArray(frozenset(["int32", "float32"]), False, (2,)),
            UNKNOWN,
        ),
        (VECTOR, AbstractArray(frozenset(["int32", "int8"]), False, (2,)), None),
        (VECTOR, TOP, UNKNOWN),
        (VECTOR, OPEN, UNKNOWN),
        (jax.Array, of(2), PROVEN),
        (float, of(2), UNKNOWN),
        (float, 1.0, PROVEN),
        (VECTOR | None, None, PROVEN),
        (VECTOR | float, of(2, 2), None),
        (Array[weak_float, tuple[Any]], of(2), None),
        (Array[weak_float, tuple[Any]], AbstractArray.of("float32", None, (2,)), UNKNOWN),
        (Floating[Any], of(2, dtype="bfloat16"), PROVEN),
        (list[VECTOR], [of(2), of(3)], None),
    ],
)
def test_verdicts(annotation: Any, value: Any, expected: Verdict | None) -> None:
    said = check(read(annotation), value, Environment())
    assert (said == expected) if expected is not None else isinstance(said, Violated), said


def test_an_open_choice_binds_only_where_it_is_the_only_one() -> None:
    either = Union((read(VECTOR), read(jaxtyping.Float[jax.Array, "m 2"])))
    dims = Environment()
    assert check(either, AbstractArray.of("float32", False, None), dims) == UNKNOWN
    assert dims.sizes == {}
    assert check(either, of(3, None), dims) == UNKNOWN
    assert dims.sizes == {"m": 3}
    by_dtype = Union((read(VECTOR), read(INTS)))
    dims = Environment()
    assert check(by_dtype, of(3, dtype=None), dims) == UNKNOWN
    assert dims.sizes == {}


@pytest.mark.parametrize(("a", "b"), [*itertools.product((1, 2, "B", "D", "B+1", "1+B", None), repeat=2)])
def test_sizes_are_compared_both_ways(a: Any, b: Any) -> None:
    assert same(a, b) is same(b, a)
    assert same(a, b) is (None if a is None else True if a == b else same(a, b))


def test_real_arrays_and_their_descriptions_agree() -> None:
    for annotation in (Array[float32, tuple[Any]], jaxtyping.Int[jax.Array, "n"]):
        for value in (jnp.zeros(3), jnp.zeros(3, int), jnp.zeros((3, 3))):
            described = AbstractArray.of(str(value.dtype), False, value.shape)
            kinds = [type(check(read(annotation), each, Environment())) for each in (value, described)]
            assert kinds[0] is kinds[1]


def test_a_weak_dtype_may_become_that_of_a_variable() -> None:
    form, dims = ArrayForm("", (), variable="DT"), Environment()
    weak, other = AbstractArray.of("float32", True, ()), of(dtype="bfloat16")
    assert check(form, weak, dims) == PROVEN
    assert check(form, other, dims) == PROVEN
    assert check(form, weak, dims) == UNKNOWN
    assert isinstance(check(form, of(), dims), Violated)
