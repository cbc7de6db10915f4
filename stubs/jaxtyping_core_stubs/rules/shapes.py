"""Which dims a result has: read off from calls with arrays of various sizes.

A pattern says for each dim of a result which dim of which argument it is, or that nothing is known of it but its place.
Sizes are chosen so that a dim can be told by its size, and differ between calls, so that no coincidence survives.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

Shape = tuple[int, ...]
#: The argument and the dim of it that a dim of a result is; None for any other size.
Dim = tuple[int, int] | None
Pattern = tuple[Dim, ...]

#: Sizes for the dims of an array, and for those whose dims must be equal.
SIZES: tuple[Shape, ...] = ((2, 3, 5, 7), (11, 13, 4, 9), (6, 1, 2, 1), (1, 4, 1, 3), (4, 6, 8, 10))
SQUARES: tuple[Shape, ...] = ((3, 2, 6, 6), (2, 7, 4, 4), (4, 3, 5, 5))

RANKS = range(5)


def assignments(ranks: tuple[int, ...]) -> list[list[tuple[Shape, ...]]]:
    """Shapes for arrays of these ranks, several ways: a function that refuses one may accept the next."""
    if not ranks:
        return [[()]]
    if len(ranks) == 2:
        return _pairs(*ranks)
    squares = [SQUARE[4 - ranks[0] :] for SQUARE in SQUARES] if ranks[0] >= 2 else []
    shapes = dict.fromkeys(sizes[: ranks[0]] for sizes in SIZES)
    return [[(shape,) * len(ranks) for shape in sample] for sample in (shapes, squares) if sample]


def _pairs(first: int, second: int) -> list[list[tuple[Shape, ...]]]:
    """Shapes for two arrays: unrelated, with a dim in common as in products, or with all the last dims in common."""
    unrelated: list[tuple[Shape, ...]] = [((2, 3, 5)[:first], (7, 11, 13)[:second])]
    unrelated += [((6, 4, 9)[:first], (3, 2, 8)[:second])]
    product: list[tuple[Shape, ...]] = [
        _product(first, second, batch) for batch in ((2, 2), (3, 3), (1, 4), (5, 1))
    ]
    last: list[tuple[Shape, ...]] = [(left[3 - first :], right[3 - second :]) for left, right in LAST]
    same: list[tuple[Shape, ...]] = [
        (sizes[3 - first : 3], sizes[3 - second : 3]) for sizes in ((2, 3, 5), (7, 4, 6), (5, 8, 2))
    ]
    square: list[tuple[Shape, ...]] = [
        (sizes[3 - first : 3], sizes[3 - second : 3]) for sizes in ((2, 3, 3), (7, 4, 4), (5, 8, 8))
    ]
    return [unrelated, [pair for pair in product if pair], last, same, square]


#: The last dims are equal, and nothing else is.
LAST: tuple[tuple[Shape, Shape], ...] = (((2, 3, 5), (7, 4, 5)), ((6, 2, 4), (3, 9, 4)))


def _product(first: int, second: int, batch: tuple[int, int]) -> tuple[Shape, ...]:
    """Shapes that can be multiplied as matrices: the last dim of one is the last but one of the other."""
    size = 3 + sum(batch)
    left = (batch[0], 4 * batch[0], size)[3 - first :]
    right = (batch[1], size, 5 * batch[1])[3 - second :] if second != 1 else (size,)
    return (left, right)


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
        if all(operands[arg][dim] == result[place] for operands, result in calls)
        and len({operands[arg][dim] for operands, _ in calls}) > 1
    ]
    return min(fitting, key=lambda source: (source[1] != place, source), default=None)


def identity(rank: int, argument: int = 0) -> Pattern:
    """The pattern of a result that has the shape of an argument."""
    return tuple((argument, dim) for dim in range(rank))


def agree(table: Mapping[tuple[int, ...], object], other: Mapping[tuple[int, ...], object]) -> bool:
    """Whether two tables by ranks are equal where both say something, and there is such a place."""
    common = table.keys() & other.keys()
    return bool(common) and all(table[ranks] == other[ranks] for ranks in common)
