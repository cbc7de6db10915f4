"""From what was found out about a function to the rows that could state it: each with its purpose.

Which of them are stated, the budget decides (`budget`). A row never depends on another one for being true, but for
guards, which stand before the rows that an argument of unknown type must not reach.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import asked, by_axis, data, operands, terms
from .dims import Dims, general
from .grouping import Choice, Group
from .making import Purpose, Row, dtype_choices, is_constant, make, result_of, whole_choice
from .study import Study
from .terms import UNKNOWN


def rows(found: Study) -> list[Row]:
    """The rows in the order in which checkers must try them, the own signature of the function aside."""
    found = terms.plain(found)
    if found.relation is not None:
        made = [*operands.rows(found), *_any_shape(found)]
    elif asked.is_required(found):
        made = list(asked.rows(found, list(_general(found))))
    else:
        made = list(_others(found))
    return sorted(made, key=lambda row: row.purpose.place)


def _others(found: Study) -> Iterator[Row]:
    groups = list(_general(found))
    for group, dims in groups:
        yield asked.with_default(found, group, dims) or _row_of(found, group, dims)
    told = {id(group) for group, _ in groups}
    yield from by_axis.rows(found, [group for group in found.groups if id(group) not in told])
    yield from data.rows(found, groups)
    yield from _any_shape(found)
    yield from asked.rows(found, groups)


def _general(found: Study) -> Iterator[tuple[Group, Dims]]:
    """The groups of calls of which all ranks have a rule together, with that rule."""
    for group in found.groups:
        if (dims := general(group, len(found.probe.arrays))) is not None:
            yield group, dims


def _row_of(found: Study, group: Group, dims: Dims) -> Row:
    return make(found, Purpose.SHAPE, {**found.free, **group.choices}, dims)


def _any_shape(found: Study) -> Iterator[Row]:
    """The row for any other shape, and for whatever does not change the dtype."""
    count, size = len(found.probe.arrays), len(found.claims)
    dims = Dims(("Any",) * count, (UNKNOWN,) * size)
    if (row := asked.with_default(found, None, dims)) is not None:
        yield row
    elif not is_constant(found):
        if count and terms.leading(found.claims) is not None:
            yield make(found, Purpose.DTYPE, dtype_choices(found), dims)
    else:
        yield _constant(found)


def _constant(found: Study) -> Row:
    """The row of a function of which the result has the same dtype whatever its arguments are."""
    whole: dict[str, Choice] = {given.name: whole_choice(given) for given in found.probe.arrays}
    leaves = [f"Array[{dtype}, {UNKNOWN}]" for dtype in terms.result_dtypes(found.claims)]
    return Row(Purpose.DTYPE, {**dtype_choices(found), **whole}, result_of(found.result, leaves, len(leaves)))
