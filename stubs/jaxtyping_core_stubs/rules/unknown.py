"""A row for arrays of which nothing is known: nothing is known of the result either.

The rows for known arrays say as much. But where something unknown solves a type variable, mypy remembers it, and tries
every row of whatever the result is given to; otherwise it takes the first one that fits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from inspect import Parameter

from .. import requests
from . import by_rank, making, terms
from .thrift import Overload

_VARIABLE = re.compile(r"\b_(?:[A-Z]|TD)\b")
#: An array in the result.
_RESULT = re.compile(r"\bArray\[(\w+), (?:\w+|(?:_Ranked|tuple)\[[^\[\]]*\])\]")
#: The shapes of a row for any rank.
_ANY_RANK = re.compile(rf"Any|{making.UNKNOWN_SHAPE}|{_VARIABLE.pattern}")


def alone(overloads: Iterable[Overload]) -> Overload | None:
    """The most general of `overloads`, for such arrays alone; None where it is not needed or would say too much."""
    every = list(overloads)
    names = {each.name for one in every for each in one.parameters if _array(each)}
    rows = [one for one in every if all(map(_array, _called(one, names)))]
    places = [place for place, one in enumerate(rows, 1) if _is_general(one, names)]
    if not places:
        return None
    *before, found = map(_of_unknown, rows[: places[-1]])
    return found if all(_apart(one, found) or _dtypes(one) == _dtypes(found) for one in before) else None


def _called(one: Overload, names: set[str]) -> list[Parameter]:
    return [each for each in one.parameters if each.name in names]


def _is_general(one: Overload, names: set[str]) -> bool:
    """Whether an overload takes arrays of any rank, and the result depends on them alone."""
    shapes = [found[2].removeprefix(", ") for found in map(_array, _called(one, names)) if found]
    solved = _VARIABLE.search(one.result) and requests.ASKED not in re.findall(r"\w+", one.result)
    return bool(solved and shapes) and all(map(_ANY_RANK.fullmatch, shapes))


def _dtypes(one: Overload) -> list[str]:
    return [found[1] for found in _RESULT.finditer(one.result)]


def _apart(one: Overload, other: Overload) -> bool:
    """Whether no call fits both: what one requires is left out of the other, or None there."""
    return _requires_more(one, other) or _requires_more(other, one)


def _requires_more(one: Overload, other: Overload) -> bool:
    taken = {each.name: str(each.annotation) for each in other.parameters}
    required = (each for each in one.parameters if each.default is Parameter.empty)
    return any(taken.get(each.name, "None") == "None" != str(each.annotation) for each in required)


def _array(one: Parameter) -> tuple[str, str, str] | None:
    found = by_rank.parts(str(one.annotation))
    return found if found[1] and found[0] == "Array" else None


def _of_unknown(one: Overload) -> Overload:
    unknown = f"Array[{making.NOTHING}, {making.UNKNOWN_SHAPE}]"
    given = [each.replace(annotation=unknown) if _array(each) else each for each in one.parameters]
    return Overload(given, _RESULT.sub(_open, one.result))


def _open(found: re.Match[str]) -> str:
    dtype = terms.UNKNOWN if _VARIABLE.search(found[1]) else found[1]
    return f"Array[{dtype}, {terms.UNKNOWN}]"
