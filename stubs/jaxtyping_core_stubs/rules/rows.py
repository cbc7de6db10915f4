"""From what was found out about a function to the overloads that state it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .. import requests
from . import pair_rows, scalar_rows, shapes
from .grouping import Choice, Group, Patterns, Ranks
from .making import (
    UNKNOWN_SHAPE,
    Dims,
    Row,
    dtype_choices,
    is_constant,
    make,
    result_of,
    row_of,
    shape_of,
    shape_with,
    whole_choice,
)
from .study import Study
from .terms import ODD, UNKNOWN, leading, result_dtypes

#: The type variables for dims.
DIMS = ("_K", "_L", "_M", "_N")


def rows(found: Study) -> list[Row]:
    """The overloads, the most specific ones first."""
    if found.relation is not None:
        return [*exceptions(found), *pair_rows.rows(found), *_any_shape(found)]
    general: list[tuple[Group, Dims]] = []
    by_rank: list[tuple[Group, Dims]] = []
    for group in _without_repetitions(found.groups):
        if (dims := _general(group)) is not None:
            general.append((group, dims))
        else:
            by_rank += _by_rank(group)
    if found.takes_dtype in [given.name for given in found.probe.required]:
        return list(_asked(found, general, whole=len(general) == 1 and not by_rank))
    by_rank = _fewer(found, by_rank)
    plain = [row_of(found, group, dims) for group, dims in general]
    if len(found.probe.arrays) > 2 and any(dims.result[0] == "_S" for _, dims in general):
        plain = [*_unknown_shape(found), *plain]  # an array of unknown shape may be broadcast with the others
    if by_rank:
        plain += _unknown_shape(found)
        plain += [row_of(found, group, dims) for group, dims in by_rank]
    if found.trailing:
        plain += scalar_rows.trailing(found, general)
    plain += scalar_rows.beside(found, general)
    scalars = (
        scalar_rows.of_both(found, general, by_rank) if found.operands else scalar_rows.of_one(found, general)
    )
    asked = list(_asked(found, general, whole=len(general) == 1 and not by_rank))
    often = [row for row in asked if _by_class(found, row)]
    return [
        *often,  # first: a call that asks for no dtype has fewer arguments than these rows want
        *exceptions(found),
        *plain,
        *scalars,
        *scalar_rows.of_data(found, general),
        *_any_shape(found),
        *(row for row in asked if row not in often),
    ]


#: More rows than this cost more than they tell.
MOST_ROWS = 20


def _fewer(found: Study, by_rank: list[tuple[Group, Dims]]) -> list[tuple[Group, Dims]]:
    """The rows by rank, fewer if they are too many: only those for any axis, then none of a high rank."""
    if len(by_rank) > MOST_ROWS:
        by_rank = [(group, dims) for group, dims in by_rank if not _single_axis(group)]
    for rank in (4, 3, 2):
        if len(by_rank) > MOST_ROWS:
            by_rank = [(group, dims) for group, dims in by_rank if _highest(dims) < rank]
    return by_rank


def _single_axis(group: Group) -> bool:
    return any(
        text.startswith("Literal[") and text[8] in "-0123456789"
        for choice in group.choices.values()
        for text in choice.annotations
    )


def _highest(dims: Dims) -> int:
    return max(shape.count(",") + (shape != "tuple[()]") for shape in dims.given)


def exceptions(found: Study) -> Iterator[Row]:
    """The rows for arrays that the claims are not about."""
    names = [given.name for given in found.probe.arrays]
    main = leading(found.claims)
    results = [UNKNOWN] * len(found.claims)
    leaves = [f"Array[{UNKNOWN}, {UNKNOWN}]" for _ in results]
    result = result_of(found.result, leaves, len(leaves))
    if main is not None and any(claim.strong for claim in found.claims):
        for name in names:
            others = {given.name: whole_choice(given) for given in found.probe.arrays}
            weak = {name: Choice((f"Array[{ODD}, Any]",), False)}
            yield Row({**dtype_choices(found), **others, **weak}, result)
    if main is not None and main.exception and found.relation is None:
        bools = dict.fromkeys(names, Choice(("Array[bool_, Any]",), False))
        yield Row({**dtype_choices(found), **bools}, result)


# shapes


def _without_repetitions(groups: list[Group]) -> Iterator[Group]:
    """The groups, less what one says of a parameter that is left out and another says of its default value."""
    said = {ranks for group in groups for choices, ranks, _ in group.told_apart if _leaves_axis_out(choices)}
    for group in groups:
        if (
            said
            and not group.told_apart
            and any(choice == Choice((), True) for choice in group.choices.values())
        ):
            yield group._replace(patterns={k: v for k, v in group.patterns.items() if k not in said})
        else:
            yield group


def _leaves_axis_out(choices: Mapping[str, Choice]) -> bool:
    return any(choice.left_out and choice.annotations for choice in choices.values())


def _general(group: Group) -> Dims | None:
    """The dims of all ranks together: the same shape, or always the same rank."""
    if len(group.patterns) == 1:
        ranks, patterns = next(iter(group.patterns.items()))
        return None if ranks else Dims((), tuple(shape_of(pattern, {}) for pattern in patterns))
    count = len(next(iter(group.patterns)))
    for argument in range(count):
        if all(
            pattern == shapes.identity(ranks[argument], argument)
            for ranks, patterns in group.patterns.items()
            for pattern in patterns
        ):
            given = ["_S" if count != 2 or place == argument else "Any" for place in range(count)]
            return Dims(tuple(given), ("_S",) * len(next(iter(group.patterns.values()))))
    if count > 2:  # only arrays of equal rank were tried
        return None
    places = list(zip(*group.patterns.values(), strict=True))
    if all(len({_rank(pattern) for pattern in place}) == 1 for place in places):
        return Dims(("Any",) * count, tuple(_blank(place[0]) for place in places))
    return None


def _rank(pattern: shapes.Pattern | None) -> int | None:
    return None if pattern is None else len(pattern)


def _blank(pattern: shapes.Pattern | None) -> str:
    return UNKNOWN if pattern is None else shape_with([UNKNOWN] * len(pattern))


def _by_rank(group: Group) -> Iterator[tuple[Group, Dims]]:
    for choices, ranks, patterns in group.told_apart:
        yield group._replace(choices=choices), _dims(ranks, patterns)
    for ranks, patterns in sorted(group.patterns.items()):
        if any(pattern is not None for pattern in patterns):
            yield group, _dims(ranks, patterns)


def _dims(ranks: Ranks, patterns: Patterns) -> Dims:
    used = sorted({dim for pattern in patterns for dim in pattern or () if dim is not None})
    names = dict(zip(used, DIMS[-len(used) :] if used else (), strict=False))
    given = tuple(
        shape_with([names.get((argument, dim), "Any") for dim in range(rank)])
        for argument, rank in enumerate(ranks)
    )
    return Dims(given, tuple(shape_of(pattern, names) for pattern in patterns))


def _unknown_shape(found: Study) -> Iterator[Row]:
    """The rows where the shape of an array is unknown: first, or it would take the first rank."""
    count, size = len(found.probe.arrays), len(found.claims)
    for unknown in range(count):
        given = tuple(UNKNOWN_SHAPE if place == unknown else "Any" for place in range(count))
        dims = Dims(given, (UNKNOWN,) * size)
        yield make(found, dtype_choices(found), dims, result_dtypes(found.claims))


def _any_shape(found: Study) -> Iterator[Row]:
    """The row for any other shape, and for whatever does not change the dtype."""
    count, size = len(found.probe.arrays), len(found.claims)
    choices = dtype_choices(found)
    if not is_constant(found) and count:
        yield make(found, choices, Dims(("Any",) * count, (UNKNOWN,) * size), result_dtypes(found.claims))
    elif is_constant(found):
        whole = {given.name: whole_choice(given) for given in found.probe.arrays}
        row = make(found, choices, Dims(("Any",) * count, _always(found)), result_dtypes(found.claims))
        yield Row({**choices, **whole}, row.result)


def _always(found: Study) -> tuple[str, ...]:
    """The shapes of the arrays in a result, whatever the arguments are: their ranks, where those never vary."""
    unknown = (UNKNOWN,) * len(found.claims)
    if any(name not in found.free and name not in found.groups[0].choices for name in found.safe):
        return unknown
    seen = {
        tuple(map(_blank, patterns))
        for group in found.groups
        for patterns in (*group.patterns.values(), *(patterns for _, _, patterns in group.told_apart))
    }
    return seen.pop() if len(seen) == 1 and found.probe.arrays else unknown


def _asked(found: Study, plain: list[tuple[Group, Dims]], whole: bool) -> Iterator[Row]:
    """The rows for a given dtype: with the shape for the usual ways to give one, or where that is the `whole` rule."""
    if found.takes_dtype is None:
        return
    data = {given.name: whole_choice(given) for given in found.probe.arrays if found.data}
    whole = whole and not data
    for request in requests.requests():
        dtype = {found.takes_dtype: Choice((request.annotation,), False)}
        results = [request.result] * len(found.claims)
        any_dtype = ["Any"] * len(found.probe.arrays)
        shaped = request == requests.BY_CLASS or (whole and request != requests.MISSPELT)
        if shaped:
            for group, dims in plain[:MOST_WITH_SHAPE]:
                if not found.probe.arrays or dims.given[0] in ("_S", "Any"):
                    yield make(found, {**found.free, **group.choices, **dtype}, dims, results, any_dtype)
        if not (shaped and whole):
            dims = Dims(("Any",) * len(found.probe.arrays), (UNKNOWN,) * len(found.claims))
            row = make(found, {**dtype_choices(found), **dtype}, dims, results, any_dtype)
            yield Row({**row.choices, **data}, request.answer(row.result))


def _by_class(found: Study, row: Row) -> bool:
    asked = row.choices[found.takes_dtype or ""].annotations[0]
    return asked in (requests.UNKNOWN_CLASS.annotation, requests.BY_CLASS.annotation)


#: Groups of calls of which the shape is told beside a class that is asked for.
MOST_WITH_SHAPE = 5
