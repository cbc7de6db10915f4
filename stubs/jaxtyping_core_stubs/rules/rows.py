"""From what was found out about a function to the rows that could state it: each with its purpose.

Which of them are stated, the budget decides (`budget`). A row never depends on another one for being true, but for
guards, which stand before the rows that an argument of unknown type must not reach.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import by_axis, data, dim_expressions, dtype_arguments, operands
from .dim_expressions import UNKNOWN
from .dims import Dims, general
from .function_rules import Study
from .grouping import Choice, Group
from .making import Purpose, Row, dtype_choices, is_constant, make, result_of, whole_choice


def rows(study: Study) -> list[Row]:
    """The rows in the order in which checkers must try them, the own signature of the function aside."""
    study = dim_expressions.plain(study)
    if study.relation is not None:
        made = [*operands.rows(study), *_any_shape(study)]
    elif dtype_arguments.is_required(study):
        made = list(dtype_arguments.rows(study, list(_general(study))))
    else:
        made = list(_others(study))
    return sorted(made, key=lambda row: row.purpose.place)


def _others(study: Study) -> Iterator[Row]:
    groups = list(_general(study))
    for group, dims in groups:
        yield dtype_arguments.with_default(study, group, dims) or _row_of(study, group, dims)
    told = {id(group) for group, _ in groups}
    yield from by_axis.rows(study, [group for group in study.groups if id(group) not in told])
    yield from data.rows(study, groups)
    yield from _any_shape(study)
    yield from dtype_arguments.rows(study, groups)


def _general(study: Study) -> Iterator[tuple[Group, Dims]]:
    """The groups of calls of which all ranks have a rule together, with that rule."""
    for group in study.groups:
        if (dims := general(group, len(study.probe.arrays))) is not None:
            yield group, dims


def _row_of(study: Study, group: Group, dims: Dims) -> Row:
    return make(study, Purpose.SHAPE, {**study.free, **group.choices}, dims)


def _any_shape(study: Study) -> Iterator[Row]:
    """The row for any other shape, and for whatever does not change the dtype."""
    count, size = len(study.probe.arrays), len(study.claims)
    dims = Dims(("Any",) * count, (UNKNOWN,) * size)
    if (row := dtype_arguments.with_default(study, None, dims)) is not None:
        yield row
    elif not is_constant(study):
        if count and dim_expressions.leading(study.claims) is not None:
            yield make(study, Purpose.DTYPE, dtype_choices(study), dims)
    else:
        yield _constant(study)


def _constant(study: Study) -> Row:
    """The row of a function of which the result has the same dtype whatever its arguments are."""
    whole: dict[str, Choice] = {argument.name: whole_choice(argument) for argument in study.probe.arrays}
    leaves = [f"Array[{dtype}, {UNKNOWN}]" for dtype in dim_expressions.result_dtypes(study.claims)]
    return Row(Purpose.DTYPE, {**dtype_choices(study), **whole}, result_of(study.result, leaves, len(leaves)))
