"""Which dims a result has: read off from calls with arrays of various sizes.

A pattern says for each dim of a result which dim of which argument it is, or that nothing is known of it but its place.
Sizes are chosen so that a dim can be told by its size, and differ between calls, so that no coincidence survives.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

Shape = tuple[int, ...]
#: The argument and the dim of it that a dim of a result is; None for any other size.
Dim = tuple[int, int] | None
Pattern = tuple[Dim, ...]

#: Sizes for the dims of an array, and for those whose dims must be equal.
SIZES: tuple[Shape, ...] = ((2, 3, 5, 7), (11, 13, 4, 9), (6, 1, 2, 1), (1, 4, 1, 3))
SQUARES: tuple[Shape, ...] = ((3, 2, 6, 6), (2, 7, 4, 4), (4, 3, 5, 5))

RANKS = range(5)


def shapes(rank: int) -> list[Shape]:
    """Shapes of a rank with unequal dims."""
    return list(dict.fromkeys(sizes[:rank] for sizes in SIZES))


def square_shapes(rank: int) -> list[Shape]:
    """Shapes of a rank of which the last two dims are equal."""
    return [sizes[4 - rank :] for sizes in SQUARES] if rank >= 2 else []


def infer(seen: Iterable[tuple[Sequence[Shape], Shape]]) -> Pattern | None:
    """The pattern of results, each seen with the shapes of the arguments; None where even the rank varies."""
    calls = list(seen)
    ranks = {len(result) for _, result in calls}
    if len(ranks) != 1:
        return None
    return tuple(_dim(calls, place) for place in range(ranks.pop()))


def _dim(calls: list[tuple[Sequence[Shape], Shape]], place: int) -> Dim:
    first = calls[0][0]
    sources = [(arg, dim) for arg, shape in enumerate(first) for dim in range(len(shape))]
    fitting = [
        (arg, dim)
        for arg, dim in sources
        if all(given[arg][dim] == result[place] for given, result in calls)
        and len({given[arg][dim] for given, _ in calls}) > 1
    ]
    return min(fitting, key=lambda source: (source[1] != place, source), default=None)


def identity(rank: int, argument: int = 0) -> Pattern:
    """The pattern of a result that has the shape of an argument."""
    return tuple((argument, dim) for dim in range(rank))


def agree(one: dict[tuple[int, ...], object], other: dict[tuple[int, ...], object]) -> bool:
    """Whether two tables by ranks are equal where both say something, and there is such a place."""
    common = one.keys() & other.keys()
    return bool(common) and all(one[ranks] == other[ranks] for ranks in common)
