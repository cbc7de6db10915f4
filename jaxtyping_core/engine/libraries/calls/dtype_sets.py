"""Samples for arrays of which a set of dtypes is known, such as the floating ones."""

from __future__ import annotations

from collections.abc import Iterable

from ....domain.arrays import AbstractArray
from ....domain.dtypes import MOST, NONE, DtypeSet
from ....sampling.tables.dtypes import DTYPES

#: A dtype, and whether it is weak.
Row = tuple[str, bool]


def rows_within(sets: Iterable[DtypeSet]) -> tuple[Row, ...]:
    """The samples for arrays of these sets of dtypes: those of the table that are in one of them, and of a few dtypes all."""
    allowed: frozenset[str] = NONE
    for each in sets:
        if each is None:
            return DTYPES
        allowed |= each
    rows = tuple(row for row in DTYPES if row[0] in allowed)
    if rows and len(allowed) > MOST:
        return rows
    others = sorted(allowed - {dtype for dtype, _ in rows})
    return (*rows, *((dtype, False) for dtype in others))


def row_for(known: AbstractArray, drawn: Row) -> Row:
    """The sample for an array: the one that was drawn for all, or, if it has no such dtype, one of its own."""
    if known.dtypes is None or drawn[0] in known.dtypes:
        return drawn
    own = rows_within([known.dtypes])
    return own[DTYPES.index(drawn) % len(own)] if drawn in DTYPES else own[0]
