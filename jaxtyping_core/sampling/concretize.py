"""What is drawn for the dtypes, the ranks and the arguments that a call leaves wholly unknown."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..domain.values import NONE, Anything, Array, DType, List, Scalar, Tuple, Value, inside, transform
from .tables.dtypes import DTYPE_OBJECTS, DTYPES, FIRST_DTYPES
from .tables.limits import MOST_MIXED, MOST_OTHERS
from .tables.ranks import LENGTHS, RANKS

#: What is drawn for each part of a call that has to be drawn.
Chosen = tuple[Value, ...]


def _arrays() -> list[Array]:
    """Arrays of which nothing is known: at first those that differ in both dtype and rank, which tell most."""
    diagonal = list(zip(DTYPES, RANKS, strict=False))
    pairs = [*diagonal, *itertools.product(FIRST_DTYPES, RANKS), *itertools.product(DTYPES, RANKS)]
    return [Array.of(dtype, weak, (None,) * rank) for (dtype, weak), rank in dict.fromkeys(pairs)]


ARRAYS = _arrays()
INT = Scalar("int")
SCALARS: list[Value] = [Scalar("float"), INT, Scalar("bool"), Scalar("complex")]
#: What is tried for an argument of a kind of `UNKNOWN_KINDS`.
OF_KIND: dict[str, list[Value]] = {
    "array": [ARRAYS[0], *SCALARS, *ARRAYS[1:]],
    "arrays": [List((array, array)) for array in ARRAYS[: len(RANKS) + 1]],
    "int": [INT],
    "ints": [Tuple((INT,) * length) for length in LENGTHS],
    "bool": [Scalar("bool")],
    "float": [Scalar("float")],
    "complex": [Scalar("complex")],
    "none": [NONE],
    "dtype": [*map(DType, DTYPE_OBJECTS)],
}


def candidates(part: Value) -> Sequence[Value]:
    """What is tried for a part of a call; nothing for a part that need not be drawn."""
    if isinstance(part, Anything):
        return [value for kind in part.kinds for value in OF_KIND[kind]]
    if not isinstance(part, Array) or (part.dtype is not None and part.shape is not None):
        return []
    if part.dtype is None and part.shape is None:
        return [replace(array, layer=part.layer) for array in ARRAYS]
    if part.dtype is None:
        return [*(part.with_dtype(dtype, weak) for dtype, weak in DTYPES)]
    return [replace(part, shape=(None,) * rank) for rank in RANKS]


class Draws:
    """The parts of a call that have to be drawn, and what is drawn for them."""

    def __init__(self, call: Value) -> None:
        self.call = call
        self.places = [part for part in inside(call) if candidates(part)]

    def made(self, chosen: Chosen) -> Value:
        """The call with the `chosen` values."""
        rest = iter(chosen)
        return transform(self.call, lambda part: next(rest) if candidates(part) else part)

    def together(self) -> Iterator[Chosen]:
        """The same dtype and rank in every place: most functions ask for that, and so it is tried for all of them."""
        if len(self.places) == 1:
            yield from ((value,) for value in candidates(self.places[0]))
            return
        arrays = ARRAYS if any(map(_is_array, self.places)) else [None] * MOST_OTHERS
        seen = set()
        for number, array in enumerate(arrays):
            chosen = tuple(_alike(place, array, number) for place in self.places)
            if chosen not in seen:
                seen.add(chosen)
                yield chosen

    def mixed(self) -> Iterator[Chosen]:
        """Other ones in each place."""
        lists = [candidates(place) for place in self.places]
        for number in range(MOST_MIXED):
            yield tuple(values[(number * (i + 1) + i) % len(values)] for i, values in enumerate(lists))

    def apart(self, base: Chosen) -> Iterator[Chosen]:
        """Other values in one place, with those of `base` in the others."""
        for i, place in enumerate(self.places):
            for value in _near(place, base[i]):
                yield (*base[:i], value, *base[i + 1 :])


def is_largest(part: Value) -> bool:
    """Whether what was drawn has as many dims, or sizes, as anything that is drawn: what has more was not tried."""
    if isinstance(part, Array):
        return part.shape is not None and len(part.shape) == max(RANKS)
    return isinstance(part, Tuple) and len(part.items) == max(LENGTHS)


def _is_array(place: Value) -> bool:
    return isinstance(place, Array) or (isinstance(place, Anything) and "array" in place.kinds)


def _alike(place: Value, array: Array | None, number: int) -> Value:
    """An array like others for a place of one; one of the candidates for another place."""
    if array is None or not _is_array(place):
        values = candidates(place)
        return values[number % len(values)]
    if not isinstance(place, Array):
        return array
    known = place if place.dtype is not None else place.with_dtype(array.dtype, array.weak)
    return known if known.shape is not None else replace(known, shape=array.shape)


def _near(place: Value, value: Value) -> Sequence[Value]:
    """What is tried in a place where `value` is accepted: of arrays, each dtype and each rank."""
    if not _is_array(place) or not isinstance(value, Array):
        return candidates(place)
    dtypes: Sequence[Value] = [value.with_dtype(dtype, weak) for dtype, weak in DTYPES]
    ranks: Sequence[Value] = [replace(value, shape=(None,) * rank) for rank in RANKS]
    if isinstance(place, Array):
        return [*(ranks if place.shape is None else []), *(dtypes if place.dtype is None else [])]
    return [*ranks, *dtypes, *(other for other in candidates(place) if not isinstance(other, Array))]
