"""What two sources know of a place, and what two evaluations of it have in common."""

from __future__ import annotations

import pytest

from jaxtyping_core.programs.places import Place, from_json, join, merge


def place(
    dtype: str | None = None, *shape: int | str | None, weak: bool | None = None, calls: int = 1
) -> Place:
    dims = None if shape == (...,) else shape
    return Place.of("a.py", 1, 0, "x", dtype, weak, dims, calls)  # type: ignore[arg-type]


UNKNOWN = Place.of("a.py", 1, 0, "x", calls=1)


@pytest.mark.parametrize(
    ("place", "other", "both"),
    [
        (UNKNOWN, UNKNOWN, UNKNOWN),
        (UNKNOWN, place("int32", 3), place("int32", 3)),
        (place(None, 3, None), place("int32", None, 4), place("int32", 3, 4)),
        (place("int32", 3, weak=True), place("int32", 3), place("int32", 3, weak=True)),
        (place("int32", 3, weak=True), place("int32", 3, weak=False), place("int32", 3)),
        (place("int32", 3, weak=False), place("float32", 3, weak=False), place(None, 3)),
        (place("int32", 3), place("int32", 4), place("int32", None)),
        (place("int32", "B"), place("int32", 8), place("int32", "B")),
        (place("int32", "B"), place("int32", "N"), place("int32", None)),
        (place("int32", 3), place("int32", 3, 3), Place.of("a.py", 1, 0, "x", "int32", None, None, 1)),
    ],
)
def test_two_sources(place: Place, other: Place, both: Place) -> None:
    assert merge([], [place], [other]) == merge([], [other], [place]) == [both]


def test_types_do_not_tell_whether_an_array_is_weak() -> None:
    """A parameter that is declared as `float` may get a scalar of NumPy, which is a float, too."""
    of_types, evaluated = place("int32", 3, weak=True), place("int32", None, weak=False)
    assert merge([of_types], [evaluated]) == [place("int32", 3, weak=False)]
    assert merge([of_types]) == [place("int32", 3)]


@pytest.mark.parametrize(
    ("place", "other", "both"),
    [
        (UNKNOWN, place("int32", 3), UNKNOWN),
        (place("int32", 3, 4), place("int32", 3, 5), place("int32", 3, None)),
        (place("int32", "B"), place("int32", 8), place("int32", None)),
        (place("int32", 3, weak=True), place("float32", 3, weak=True), place(None, 3, weak=True)),
        (place("int32", 3, weak=True), place("int32", 3, weak=True), place("int32", 3, weak=True)),
        (place("int32", 3), place("int32", 3, 3), Place.of("a.py", 1, 0, "x", "int32")),
    ],
)
def test_two_evaluations(place: Place, other: Place, both: Place) -> None:
    for order in ([place, other], [other, place]):
        (joined,) = join(order)
        assert (joined.dtype, joined.weak, joined.shape) == (both.dtype, both.weak, both.shape)
        assert joined.calls == 2


def test_order_is_that_of_the_program() -> None:
    places = [
        Place.of("b.py", 1, 0, "x"),
        Place.of("a.py", 10, 0, "x"),
        Place.of("a.py", 2, 4, "y"),
        Place.of("a.py", 2, 0, "z"),
    ]
    assert merge(places[:2], places[2:]) == [places[3], places[2], places[1], places[0]]


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (place("float32", "B", 3), "float32[B, 3]"),
        (place("float32", weak=True), "weak float32[]"),
        (place(None, None, 3), "Array[?, 3]"),
        (Place.of("a.py", 1, 0, "x", "int8"), "int8[...]"),
    ],
)
def test_spelling(known: Place, text: str) -> None:
    assert known.value == text


def test_json() -> None:
    for known in (UNKNOWN, place("float32", "B", None, 3, weak=False)):
        assert from_json(known.as_json()) == known
    with pytest.raises(LookupError):
        from_json({"file": "a.py"})
