"""What is known where a program assigns to a name, or returns."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

from jaxtyping_core.domain.formatting import spell_array

#: A size: a number, the name or formula of one, or None where it is not known.
Dim = int | str | None
#: The name of a place that is a ``return``.
RETURN = "return"
#: Which place: its file, line, column and name.
Spot = tuple[str, int, int, str]


@dataclass(frozen=True, slots=True)
class Place:
    """An assignment to a name, or a ``return``, and what holds of its value in every run.

    `line` counts from 1 and `column` from 0, of the name or of the returned value, as in `ast`; `calls` is the number
    of evaluated calls that agree.
    """

    file: str
    line: int
    column: int
    name: str
    dtype: str | None = None
    weak: bool | None = None
    shape: tuple[Dim, ...] | None = None
    calls: int = 0

    @property
    def spot(self) -> Spot:
        """Which place it is."""
        return self.file, self.line, self.column, self.name

    @property
    def is_open(self) -> bool:
        """Whether nothing is known."""
        return self.dtype is None and self.shape is None

    @property
    def value(self) -> str:
        """What is known as messages spell it, ``float32[B, 3]``, after a word on a dtype that is weak."""
        return "weak " * bool(self.weak) + spell_array(self.dtype, self.shape)

    def as_json(self) -> dict[str, Any]:
        """The place as JSON holds it."""
        return asdict(self) | {"shape": None if self.shape is None else list(self.shape)}


def from_json(data: Mapping[str, Any]) -> Place:
    """The place that `Place.as_json` made `data` of.

    Raises:
        LookupError, TypeError, ValueError: it made no such thing.
    """
    place = Place(**{field.name: data[field.name] for field in fields(Place)})
    return replace(place, shape=None if place.shape is None else tuple(place.shape))


def merge(*sources: Iterable[Place]) -> list[Place]:
    """The places of all sources in the order of the program, each with what the sources know together."""
    return _combined((place for source in sources for place in source), _together)


def join(places: Iterable[Place], others: Container[Spot] = frozenset()) -> list[Place]:
    """Each place once, with what holds in all evaluations that came by it.

    `others` are the places that some of them reached with no array, or with something of which nothing is known.
    """
    return [place for place in _combined(places, _common) if place.spot not in others]


def _combined(places: Iterable[Place], combine: Callable[[Place, Place], Place]) -> list[Place]:
    combined: dict[Spot, Place] = {}
    for place in places:
        key = place.spot
        combined[key] = combine(combined[key], place) if key in combined else place
    return [combined[key] for key in sorted(combined)]


def _common(first: Place, second: Place) -> Place:
    """What two evaluations of one place agree on."""
    shape = None
    if first.shape is not None and second.shape is not None and len(first.shape) == len(second.shape):
        shape = tuple(a if a == b else None for a, b in zip(first.shape, second.shape, strict=True))
    return replace(
        first,
        dtype=first.dtype if first.dtype == second.dtype else None,
        weak=first.weak if (first.dtype, first.weak) == (second.dtype, second.weak) else None,
        shape=shape,
        calls=first.calls + second.calls,
    )


def _together(first: Place, second: Place) -> Place:
    """What two sources know of one place; where they contradict each other, neither is believed."""
    contradict = first.dtype is not None and second.dtype is not None and first.dtype != second.dtype
    return replace(
        first,
        dtype=None if contradict else first.dtype or second.dtype,
        weak=None if contradict else _either(first.weak, second.weak),
        shape=_shape(first.shape, second.shape),
        calls=max(first.calls, second.calls),
    )


def _either(first: bool | None, second: bool | None) -> bool | None:
    if first is None or second is None:
        return second if first is None else first
    return first if first == second else None


def _shape(first: tuple[Dim, ...] | None, second: tuple[Dim, ...] | None) -> tuple[Dim, ...] | None:
    if first is None or second is None:
        return second if first is None else first
    return tuple(map(_dim, first, second)) if len(first) == len(second) else None


def _dim(first: Dim, second: Dim) -> Dim:
    """A name is less than a number and does not contradict it: it may have that value."""
    if first is None or second is None:
        return second if first is None else first
    if type(first) is type(second):
        return first if first == second else None
    return first if isinstance(first, str) else second
