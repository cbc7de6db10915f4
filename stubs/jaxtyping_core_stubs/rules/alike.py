"""Rows for three arrays or more of which all but the first have one dtype.

The rows of a function join its arrays one after the other, through a type variable for what lies between. mypy and
zuban cannot solve that for more than two arrays: they take these rows, where only two dtypes meet.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator

from .. import tables
from ..probing.parameters import ARRAY
from . import claims, joining, making, pairs, terms
from .claims import Claim
from .grouping import Choice
from .joining import Joining
from .making import Row
from .study import Study

_OTHER = "_TD"


def overloads(found: Study) -> Iterator[Row]:
    """The rows of a function, and of its calls with a Python scalar or with one more parameter."""
    main = terms.leading(found.claims)
    if main is None or any(given.role != ARRAY for given in found.probe.arrays):
        return
    names = [given.name for given in found.probe.arrays]
    others = making.dtype_choices(found)
    if main.arguments == tuple(range(len(names))):
        yield from _rows(found, names, main, others)
        for place, kind in found.beside:
            scalar = {names[place]: Choice((pairs.OPERANDS[kind],), False)}
            rest = [name for name in names if name != names[place]]
            yield from _rows(found, rest, main, {**others, **scalar}, pairs.COUNTS_AS[kind])
    for one in found.joining:
        yield from _joined(found, names, one)


def _joined(found: Study, names: list[str], one: Joining) -> Iterator[Row]:
    if one.claim.arguments == tuple(range(len(names) + 1)):
        yield from _rows(found, [*names, one.name], one.claim, joining.others(found))


def _rows(
    found: Study, names: list[str], main: Claim, others: dict[str, Choice], beside: str = ""
) -> Iterator[Row]:
    """The row for arrays `names` of which all but the first are alike, `beside` what a scalar counts as."""
    if len(names) < 3 or not _meets_once(main, len(names), beside):
        return
    result = terms.put_through(main)
    if beside:
        result = f"_{_table(main)}_{terms.class_name(beside)}[{result}]"
    meets = f"_{'Join' if beside else _table(main)}[{terms.OPERAND}, {result}]"
    first, second, *rest = names
    arrays = {
        first: f"Array[{terms.OPERAND}, Any]",
        second: f"_Exact[{_OTHER}, Any, Any, {meets}]",
        **dict.fromkeys(rest, f"_Exact[{_OTHER}, Any, Any]"),
    }
    operands = {name: Choice((annotation,), False) for name, annotation in arrays.items()}
    leaves = [f"Array[{dtype}, {terms.UNKNOWN}]" for dtype in terms.result_dtypes(found.claims)]
    yield Row({**others, **operands}, making.result_of(found.result, leaves, len(leaves)))


def _table(main: Claim) -> str:
    return (main.table or "join").capitalize()


@functools.cache
def _meets_once(main: Claim, count: int, beside: str) -> bool:
    """Whether what a claim says of arrays follows from the first dtype and the other one."""
    if main.kind not in ("table", "binary") or main.strong or main.exception or main.table == "power":
        return False
    scalar = (beside,) if beside else ()
    once = main._replace(arguments=tuple(range(2 + len(scalar))))
    every = main._replace(arguments=tuple(range(count + len(scalar))))
    return all(
        claims.predict(every, (a, *(b,) * (count - 1), *scalar)) == claims.predict(once, (a, b, *scalar))
        for a in tables.nodes()
        for b in tables.nodes()
    )
