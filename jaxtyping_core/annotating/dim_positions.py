"""Where sizes stand in the calls of a function, and what is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jaxtyping_core.annotating.observed_types import (
    Agreement,
    Arrays,
    Kind,
    Optional,
    Place,
    Plain,
    Tuple,
    places,
)
from jaxtyping_core.annotating.walking import Slot
from jaxtyping_core.recording import observed
from jaxtyping_core.recording.observed import Call


def written_places(agreement: Agreement) -> Iterator[tuple[Place, int]]:
    """The arrays whose sizes annotations may tell, each with its rank, and ints, which may be sizes."""
    for name, kind in agreement.kinds.items():
        for part in _outside_of_trees(kind):
            match part:
                case Arrays(rank=int(rank), place=tuple(place)):
                    yield place, rank
                case Plain("int") if part is kind:
                    yield (name,), 1


def _outside_of_trees(kind: Kind) -> Iterator[Kind]:
    yield kind
    match kind:
        case Optional(inner):
            yield from _outside_of_trees(inner)
        case Tuple(items):
            for item in items:
                yield from _outside_of_trees(item)


def slots_of(call: Call) -> Iterator[tuple[Slot, int]]:
    """The sizes in what a call gets, keys aside."""
    for name, value in call.arguments:
        for place, dims in places(value, (name,)):
            if not is_key(value, place):
                yield from (((place, axis), size) for axis, size in enumerate(dims) if size)


def at_place(value: observed.Observed | None, path: Sequence[str | int]) -> observed.Observed | None:
    """What is at a place in a value."""
    for step in path:
        match value:
            case observed.Items(items=items) if isinstance(step, int):
                value = items[step]
            case observed.Dict(keys=keys, items=items):
                value = items[keys.index(step)]
            case observed.Object(names=names, fields=fields) if isinstance(step, str):
                value = fields[names.index(step)]
    return value


def is_int(value: observed.Observed | None, place: Place) -> bool:
    """Whether a number of Python's is at a place."""
    return isinstance(at_place(value, place[1:]), observed.Scalar)


def is_key(value: observed.Observed, place: Place) -> bool:
    """Whether random keys are at a place."""
    leaf = at_place(value, place[1:])
    return isinstance(leaf, observed.Array) and leaf.dtype.startswith("key<")
