"""Errors of mypy's that may be none: what it says of arrays of which it does not know enough.

With `allow_redefinition`, a variable that had an array and has another is of the union of both after a loop or a branch;
and arrays of an abstract dtype may have any of its dtypes. What is not known is no mistake. mypy asks no hook about such
errors, so that their words are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo

from jaxtyping_core.domain.formulas import may_be_equal
from jaxtyping_core.dtypes import ABSTRACT, ancestors
from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.convert.dim_strings import without_suffixes
from jaxtyping_core_mypy.convert.equality import EqualDims

#: The codes of refusals, after which mypy knows nothing of a value.
OURS = frozenset(errors.BY_KIND.values())
CODES = frozenset({codes.RETURN_VALUE, codes.ARG_TYPE, codes.ASSIGNMENT})
#: What a value is and what is expected of it.
GIVEN = re.compile(r'(?:\(got|incompatible type|\(expression has type) "(.*?)"[,;]')
EXPECTED = re.compile(r'(?:expected|variable has type) "(.*?)"(?:\)|$)')
OPEN = re.compile(r"Any|Array\[\w+, Any\]")
DTYPE = re.compile(r"\bArray\[(\w+),")
SHAPE = re.compile(r"\bArray\[\w+, tuple\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\]")
#: What mypy makes of a dim that a number is given for: ``def zeros(n: N) -> Float32[N]``, called with 3.
NUMBER = "int"
SIZE = re.compile(r"Literal\['(.*?)'\]|Literal\[(\d+)\]|(\w+)")


def is_uncertain(info: ErrorInfo, equal: EqualDims) -> bool:
    """Whether what mypy is about to say may be wrong; if not, the names of dims in it become as they are written.

    `equal`: the dims that functions find to be equal.
    """
    if "Array[" not in info.message:
        return False
    actual, expected = GIVEN.search(info.message), EXPECTED.search(info.message)
    if info.code in CODES and actual is not None and expected is not None:
        members = _members(actual[1])
        if len(members) > 1 and any(map(OPEN.fullmatch, members)):
            return True
        if equal.are_in(f"{actual[1]} {expected[1]}", info.line):
            return True
        dtypes = zip(DTYPE.findall(actual[1]), DTYPE.findall(expected[1]), strict=False)
        if any(wide in ABSTRACT and wide != narrow and wide in _above(narrow) for wide, narrow in dtypes):
            return True
        if _may_have_sizes(actual[1], expected[1]):
            return True
    info.message = without_suffixes(info.message)
    return False


def follows(info: ErrorInfo, reported: Iterable[ErrorInfo]) -> bool:
    """Whether mypy is about to say that a function returns `Any` where what it returns was refused already."""
    if info.code is not codes.NO_ANY_RETURN:
        return False
    lines = range(info.line, (info.end_line or info.line) + 1)
    return any(error.line in lines and error.code in OURS for error in reported)


def _may_have_sizes(actual: str, expected: str) -> bool:
    """Whether arrays differ in sizes alone that may be the same: ``4*floordiv(D, 4)`` and ``D``, and what a number is that was passed for a size.

    A program that splits D into four knows that it can.
    """
    if SHAPE.sub("", actual) != SHAPE.sub("", expected):
        return False
    dtypes = zip(DTYPE.findall(actual), DTYPE.findall(expected), strict=False)
    if not all(a in ("Any", b) or b in _above(a) for a, b in dtypes):
        return False
    shapes = [[SIZE.findall(shape) for shape in SHAPE.findall(text)] for text in (actual, expected)]
    if any(len(a) != len(b) for a, b in zip(*shapes, strict=True)):
        return False
    pairs = [
        ("".join(a), "".join(b))
        for left, right in zip(*shapes, strict=True)
        for a, b in zip(left, right, strict=True)
    ]
    different = [(a, b) for a, b in pairs if a != b and "Any" not in (a, b)]
    return bool(different) and all(a == NUMBER or may_be_equal(a, b) for a, b in different)


def _above(dtype: str) -> tuple[str, ...]:
    """The classes of which a dtype, or a class of dtypes, is one."""
    try:
        return ancestors(dtype)
    except KeyError:
        return ()


def _members(spelled: str) -> list[str]:
    """The members of a union as mypy writes it."""
    members, depth, start = [], 0, 0
    for place, letter in enumerate(spelled):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if letter == "|" and depth == 0:
            members.append(spelled[start:place].strip())
            start = place + 1
    return [*members, spelled[start:].strip()]
