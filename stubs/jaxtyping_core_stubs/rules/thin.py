"""Fewer overloads for mypy, of functions where others say no more to it.

mypy is not told the rank of a result where that is all there is to tell (`ranks`), so overloads that differ in it alone
are one. It checks the elements of a list again for every overload, and never takes the first that fits where the shape
of one is unknown: it is not told the dims of what functions of lists give.
"""

from __future__ import annotations

import re

from .. import ranks
from . import terms, thrift
from .thrift import Overload

#: Leaving out fewer than this is not worth a second form of a function.
FEWEST = 3

_LIST = re.compile(r"^(Sequence\[_(?:Item|Exact|Mixed)\[\w+, )(?:tuple\[[^\[\]]*\]|\w+)")
_DIMS = re.compile(r"\btuple\[[^\[\]]*\]")
_INTS = re.compile(r"^Literal\[[-\d, ]+\]$")


def for_mypy(overloads: list[Overload]) -> list[Overload] | None:
    """The overloads for mypy; None where it gets those of the others."""
    annotations = [str(each.annotation) for one in overloads for each in one.parameters]
    of_lists = any(map(_LIST.match, annotations))
    if not of_lists and any(text.startswith("Array[") for text in annotations):
        return None
    told = [_told(one) for one in overloads]
    kept = [one for place, one in enumerate(told) if not _follows(one, told[place + 1 :])]
    return kept if len(overloads) - len(kept) >= FEWEST else None


def _told(one: Overload) -> Overload:
    """What an overload says to mypy."""
    result = ranks.RANK.sub(f"{terms.UNKNOWN}]", one.result)
    if not any(_LIST.match(str(each.annotation)) for each in one.parameters):
        return one._replace(result=result)
    given = [
        each.replace(annotation=_LIST.sub(r"\1Any", _INTS.sub("int", str(each.annotation))))
        for each in one.parameters
    ]
    return Overload(given, _DIMS.sub(terms.UNKNOWN, result))


def _follows(one: Overload, later: list[Overload]) -> bool:
    """Whether the calls of an overload come to one of those after it that says the same, and to none before that."""
    for other in later:
        if other.result != one.result:
            return False
        if thrift.covers(other, one):
            return True
    return False
