"""Values: their encoding, the ways through them, and the choices that unions make."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jaxtyping_core.domain.merging import merge
from jaxtyping_core.domain.values import (
    KINDS,
    NONE,
    UNKNOWN_KINDS,
    Anything,
    Array,
    Builtin,
    Call,
    Complex,
    Dict,
    Dots,
    DType,
    Either,
    Key,
    Lambda,
    List,
    Many,
    Named,
    Own,
    Parameter,
    Scalar,
    Size,
    Slice,
    Static,
    Tuple,
    Unknown,
    Value,
    children,
    choices,
    decode,
    encode,
    inside,
    mentions_layer,
    number_of_choices,
    transform,
    with_children,
)

NAMES, NUMBERS = st.text(max_size=3), st.floats(allow_nan=False)
DIMS = st.none() | st.lists(st.integers() | NAMES | st.none(), max_size=3).map(tuple)
SIMPLE: dict[type[Value], st.SearchStrategy[Value]] = {
    Array: st.builds(Array, st.none() | st.frozensets(NAMES), st.none() | st.booleans(), DIMS, st.booleans()),
    Scalar: st.builds(Scalar, NAMES),
    Static: st.builds(Static, st.none() | st.booleans() | st.integers() | NUMBERS | NAMES),
    Complex: st.builds(Complex, NUMBERS, NUMBERS),
    Size: st.builds(Size, NAMES),
    Key: st.just(Key()),
    DType: st.builds(DType, NAMES),
    Builtin: st.builds(Builtin, NAMES),
    Parameter: st.builds(Parameter, NAMES),
    Dots: st.just(Dots()),
    Named: st.builds(Named, NAMES),
    Own: st.builds(Own, NAMES, NAMES),
    Unknown: st.just(Unknown()),
    Anything: st.builds(Anything, st.lists(st.sampled_from(UNKNOWN_KINDS), max_size=2).map(tuple)),
}


def compound(values: st.SearchStrategy[Value]) -> dict[type[Value], st.SearchStrategy[Value]]:
    several = st.lists(values, max_size=3).map(tuple)
    return {
        Tuple: st.builds(Tuple, several),
        List: st.builds(List, several),
        Dict: st.builds(Dict, st.lists(st.tuples(values, values), max_size=2).map(tuple)),
        Call: st.builds(Call, NAMES, several, st.dictionaries(NAMES, values, max_size=2)),
        Lambda: st.builds(Lambda, st.lists(NAMES, max_size=2).map(tuple), values),
        Slice: st.builds(Slice, values, values, values),
        Either: st.builds(Either, several),
        Many: st.builds(Many, st.sampled_from(["tuple", "list"]), values),
    }


VALUES = st.recursive(
    st.one_of(*SIMPLE.values()), lambda values: st.one_of(*compound(values).values()), max_leaves=8
)


def test_every_kind_is_tried() -> None:
    assert SIMPLE.keys() | compound(st.just(NONE)).keys() == set(KINDS)
    assert len({kind.tag for kind in KINDS}) == len(KINDS)


@given(VALUES)
def test_what_is_decoded_is_what_was_encoded(value: Value) -> None:
    assert decode(json.loads(json.dumps(encode(value)))) == value


@pytest.mark.parametrize(
    "garbage",
    [
        [],
        ["no such tag"],
        ["scalar"],
        ["array", ["float32"]],
        ["array", "float32", False, [3], False],
        ["static", 1, 2],
        3,
        ["tuple", 3],
    ],
)
def test_garbage_is_not_decoded(garbage: list[object]) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        decode(garbage)


@given(VALUES)
def test_ways_through_a_value(value: Value) -> None:
    assert with_children(value, children(value)) == value
    parts = list(inside(value))
    assert parts[0] is value
    assert len(parts) == 1 + sum(len(list(inside(child))) for child in children(value))
    seen = []

    def remember(part: Value) -> Value:
        seen.append(part)
        return part

    assert transform(value, remember) == value
    assert len(seen) == len(parts)
    assert seen[-1] == value


def test_numbers_of_different_types_are_different() -> None:
    assert Static(1) != Static(True)
    assert Static(1) != Static(1.0)
    assert Static(0) != Static(None)
    assert len({Static(1), Static(True), Static(1.0), Static(1)}) == 3
    assert merge([Static(1), Static(True)]) == Unknown()


A, B, C, D = (Array.of(dtype, False, (3,)) for dtype in ("int8", "int16", "float16", "float32"))


def test_choices_of_nested_unions() -> None:
    """For ``f(a: tuple[A | B] | None, b: C | D)``, `b` is C or D whatever `a` is."""
    call = Call("jax.numpy.add", (Either((Tuple((Either((A, B)),)), NONE)),), {"b": Either((C, D))})
    expected = [(first, b) for first in (Tuple((A,)), Tuple((B,)), NONE) for b in (C, D)]
    assert list(choices(call)) == [Call(call.function, (first,), {"b": b}) for first, b in expected]
    assert number_of_choices(call) == 6


@given(VALUES)
def test_the_number_of_choices(value: Value) -> None:
    number = number_of_choices(value)
    if number <= 100:
        members = list(choices(value))
        assert len(members) == number
        assert not any(isinstance(part, Either) for member in members for part in inside(member))


def test_many_choices_are_counted_without_making_them() -> None:
    assert number_of_choices(Tuple((Either((A, B)),) * 200)) == 2**200


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Tuple((A, Array.of("int8", False, (3,), True))), True),
        (Call("jax.grad", (Named("jaxtyping_core.numpy.sin"),), {}), True),
        (Tuple((Call("jaxtyping_core.numpy.zeros", (Static(3),), {}),)), True),
        (Call("jax.numpy.sin", (A, Static("jaxtyping_core.numpy.sin")), {}), False),
    ],
)
def test_whether_the_layer_takes_part(value: Value, expected: bool) -> None:
    assert mentions_layer(value) is expected
