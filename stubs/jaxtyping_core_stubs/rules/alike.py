"""Rows for three arrays or more of which all but the first have one dtype.

The rows of a function join its arrays one after the other, through a type variable for what lies between. mypy and
zuban cannot solve that for more than two arrays: they take these rows, where only two dtypes meet.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import NamedTuple

from .. import tables
from ..probing.parameters import ARRAY
from . import claims, joining, making, pairs, terms
from .claims import Claim
from .grouping import Choice
from .joining import Joining
from .making import Row
from .study import Study

_OTHER = "_TD"


class _Call(NamedTuple):
    """A way to call a function with several arrays."""

    names: list[str]
    main: Claim
    others: dict[str, Choice]
    beside: str = ""  # what a Python scalar among them counts as


def overloads(found: Study) -> Iterator[Row]:
    """The rows of a function, and of its calls with a Python scalar or with one more parameter."""
    for call in _calls(found):
        if _meets_once(call.main, len(call.names), call.beside):
            yield _alike(found, call)


def of_unknown_dtype(found: Study) -> Iterator[Row]:
    """The rows for a first array of unknown dtype: of two equal ones after it, mypy would make an impossible result."""
    calls = list(_calls(found))
    if calls and len(calls[0].names) == len(found.probe.arrays):
        calls += [_with_scalar(found, calls[0], one) for one in found.joining if one.scalars]
    for call in calls:
        first, *rest = call.names
        arrays = {first: f"Array[{making.NOTHING}, Any]", **dict.fromkeys(rest, "Array[Any, Any]")}
        yield _row(found, call, arrays, [terms.UNKNOWN] * len(found.claims))


def _with_scalar(found: Study, call: _Call, one: Joining) -> _Call:
    """The call with a Python number for one more parameter."""
    return call._replace(others={**joining.others(found), one.name: Choice(("float",), False)})


def _calls(found: Study) -> Iterator[_Call]:
    """The calls with three arrays or more of which the dtypes are joined."""
    main = terms.leading(found.claims)
    if main is None or any(given.role != ARRAY for given in found.probe.arrays):
        return
    names = [given.name for given in found.probe.arrays]
    others = making.dtype_choices(found)
    calls = []
    if main.arguments == tuple(range(len(names))):
        calls.append(_Call(names, main, others))
        for place, kind in found.beside:
            scalar = {names[place]: Choice((pairs.OPERANDS[kind],), False)}
            rest = [name for name in names if name != names[place]]
            calls.append(_Call(rest, main, {**others, **scalar}, pairs.COUNTS_AS[kind]))
    for one in found.joining:
        if one.claim.arguments == tuple(range(len(names) + 1)):
            calls.append(_Call([*names, one.name], one.claim, joining.others(found)))
    yield from (call for call in calls if len(call.names) >= 3)


def _alike(found: Study, call: _Call) -> Row:
    """The row for arrays of which all but the first are alike."""
    main = call.main
    result = terms.put_through(main)
    if call.beside:
        result = f"_{_table(main)}_{terms.class_name(call.beside)}[{result}]"
    meets = f"_{'Join' if call.beside else _table(main)}[{terms.OPERAND}, {result}]"
    first, second, *rest = call.names
    arrays = {
        first: f"Array[{terms.OPERAND}, Any]",
        second: f"_Exact[{_OTHER}, Any, Any, {meets}]",
        **dict.fromkeys(rest, f"_Exact[{_OTHER}, Any, Any]"),
    }
    return _row(found, call, arrays, terms.result_dtypes(found.claims))


def _row(found: Study, call: _Call, arrays: dict[str, str], dtypes: list[str]) -> Row:
    operands = {name: Choice((annotation,), False) for name, annotation in arrays.items()}
    leaves = [f"Array[{dtype}, {terms.UNKNOWN}]" for dtype in dtypes]
    return Row({**call.others, **operands}, making.result_of(found.result, leaves, len(leaves)))


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
