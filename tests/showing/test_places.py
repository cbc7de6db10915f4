"""What two evaluations of a place have in common."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jaxtyping_core.programs.contexts import Context, Fact
from jaxtyping_core.programs.places import Place, from_json, join
from jaxtyping_core.programs.report import Report, with_facts
from jaxtyping_core.showing.listing import Line, Listing, value
from jaxtyping_core.showing.page import page


def place(
    dtype: str | None = None, *shape: int | str | None, weak: bool | None = None, calls: int = 1
) -> Place:
    dims = None if shape == (...,) else shape
    return Place.of("a.py", 1, 0, "x", dtype, weak, dims, calls)  # type: ignore[arg-type]


UNKNOWN = Place.of("a.py", 1, 0, "x", calls=1)


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
    assert join(places) == [places[3], places[2], places[1], places[0]]


@pytest.mark.parametrize(
    ("known", "text"),
    [
        (place("float32", "B", 3), "float32[B, 3]"),
        (place("float32", weak=True), "weak float32[]"),
        (place(None, None, 3), "?[?, 3]"),
        (Place.of("a.py", 1, 0, "x", "int8"), "int8[...]"),
    ],
)
def test_spelling(known: Place, text: str) -> None:
    assert known.value == text


def test_so_far() -> None:
    """What is known of a place in programs that were evaluated to their end, and in one that was not, is of both."""
    facts = [Fact(place("float32", size, 3), Context()) for size in (4, 5)]
    (whole,) = with_facts(Report(), facts[:1]).places
    (partial,) = with_facts(Report(), facts[:1], facts[1:]).places
    assert value(whole) == "float32[4, 3]"
    assert value(partial) == "float32[?, 3] so far"
    text = page([Listing("a.py", [Line(1, [], [partial], [])])], [])
    assert '[<span class="size">?, 3</span>] so far' in text


def test_json() -> None:
    named = place("float32", "B", None, 3, weak=False)
    for known in (UNKNOWN, named, replace(named, so_far=True)):
        assert from_json(known.as_json()) == known
    with pytest.raises(LookupError):
        from_json({"file": "a.py"})
