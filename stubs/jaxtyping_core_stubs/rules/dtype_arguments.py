"""Rows for calls that ask for a dtype (the parameter ``dtype``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import requests
from .dim_expressions import UNKNOWN
from .dims import Dims
from .function_rules import Study
from .grouping import Choice, Group
from .making import Purpose, Row, dtype_choices, make, whole_choice

#: Rules for a shape that are told beside a dtype that is asked for.
MOST_WITH_SHAPE = 5


def is_required(study: Study) -> bool:
    """Whether every call asks for a dtype."""
    return study.takes_dtype in [argument.name for argument in study.probe.required]


def with_default(study: Study, group: Group | None, dims: Dims) -> Row | None:
    """The row of calls that ask for a dtype or leave it to a default, where that depends on nothing else."""
    default = _default(study)
    if default is None or study.takes_dtype is None:
        return None
    request = requests.with_default(default)
    dtype = {study.takes_dtype: Choice((request.annotation,), True)}
    choices = {**study.free, **group.choices} if group else dtype_choices(study)
    whole = {} if group else {argument.name: whole_choice(argument) for argument in study.probe.arrays}
    purpose = Purpose.SHAPE if group else Purpose.DTYPE
    row = make(study, purpose, {**choices, **dtype}, dims, [request.result] * len(study.claims), _any(study))
    return row._replace(choices={**row.choices, **whole})


def _default(study: Study) -> str | None:
    """The class of the dtype that a call gets that asks for none, where a checker can be told of it as a default."""
    names = {claim.table for claim in study.claims if claim.kind == "constant"}
    argument = next(
        (argument for argument in study.probe.optional if argument.name == study.takes_dtype), None
    )
    constant = len(names) == 1 and all(claim.kind == "constant" for claim in study.claims)
    if argument is None or not constant or argument.parameter.default is not None:
        return None
    return next((name for name in names if name in requests.DEFAULTS), None)


def rows(study: Study, groups: Sequence[tuple[Group, Dims]]) -> Iterator[Row]:
    """The rows for a given dtype, where no row has one as its default: by the rules for shapes, or for any."""
    if study.takes_dtype is None or _default(study) is not None:
        return
    dtype = {study.takes_dtype: Choice((requests.BY_CLASS.annotation,), False)}
    results = [requests.BY_CLASS.result] * len(study.claims)
    whole = not study.data and (len(groups) == len(study.groups) == 1 or is_required(study))
    for group, dims in groups[:MOST_WITH_SHAPE] if whole else ():
        choices = {**study.free, **group.choices, **dtype}
        yield make(study, Purpose.ASKED, choices, dims, results, _any(study))
    if not (whole and len(groups) == 1):
        dims = Dims(("Any",) * len(study.probe.arrays), (UNKNOWN,) * len(study.claims))
        row = make(study, Purpose.ASKED, {**dtype_choices(study), **dtype}, dims, results, _any(study))
        data = {argument.name: whole_choice(argument) for argument in study.probe.arrays if study.data}
        yield row._replace(choices={**row.choices, **data})


def _any(study: Study) -> list[str]:
    return ["Any"] * len(study.probe.arrays)
