"""Rows for calls that ask for a dtype (the parameter ``dtype``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .. import requests
from .dims import Dims
from .grouping import Choice, Group
from .making import Purpose, Row, dtype_choices, make, whole_choice
from .study import Study
from .terms import UNKNOWN

#: Rules for a shape that are told beside a dtype that is asked for.
MOST_WITH_SHAPE = 5


def is_required(found: Study) -> bool:
    """Whether every call asks for a dtype."""
    return found.takes_dtype in [given.name for given in found.probe.required]


def with_default(found: Study, group: Group | None, dims: Dims) -> Row | None:
    """The row of calls that ask for a dtype or leave it to a default, where that depends on nothing else."""
    default = _default(found)
    if default is None or found.takes_dtype is None:
        return None
    request = requests.with_default(default)
    dtype = {found.takes_dtype: Choice((request.annotation,), True)}
    choices = {**found.free, **group.choices} if group else dtype_choices(found)
    whole = {} if group else {given.name: whole_choice(given) for given in found.probe.arrays}
    purpose = Purpose.SHAPE if group else Purpose.DTYPE
    row = make(found, purpose, {**choices, **dtype}, dims, [request.result] * len(found.claims), _any(found))
    return row._replace(choices={**row.choices, **whole})


def _default(found: Study) -> str | None:
    """The class of the dtype that a call gets that asks for none, where a checker can be told of it as a default."""
    names = {claim.table for claim in found.claims if claim.kind == "constant"}
    given = next((given for given in found.probe.optional if given.name == found.takes_dtype), None)
    constant = len(names) == 1 and all(claim.kind == "constant" for claim in found.claims)
    if given is None or not constant or given.parameter.default is not None:
        return None
    return next((name for name in names if name in requests.DEFAULTS), None)


def rows(found: Study, groups: Sequence[tuple[Group, Dims]]) -> Iterator[Row]:
    """The rows for a given dtype, where no row has one as its default: by the rules for shapes, or for any."""
    if found.takes_dtype is None or _default(found) is not None:
        return
    dtype = {found.takes_dtype: Choice((requests.BY_CLASS.annotation,), False)}
    results = [requests.BY_CLASS.result] * len(found.claims)
    whole = not found.data and (len(groups) == len(found.groups) == 1 or is_required(found))
    for group, dims in groups[:MOST_WITH_SHAPE] if whole else ():
        choices = {**found.free, **group.choices, **dtype}
        yield make(found, Purpose.ASKED, choices, dims, results, _any(found))
    if not (whole and len(groups) == 1):
        dims = Dims(("Any",) * len(found.probe.arrays), (UNKNOWN,) * len(found.claims))
        row = make(found, Purpose.ASKED, {**dtype_choices(found), **dtype}, dims, results, _any(found))
        data = {given.name: whole_choice(given) for given in found.probe.arrays if found.data}
        yield row._replace(choices={**row.choices, **data})


def _any(found: Study) -> list[str]:
    return ["Any"] * len(found.probe.arrays)
