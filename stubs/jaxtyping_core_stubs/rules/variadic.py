"""Overloads for lists of arrays of any rank in place of those of one rank each.

pyright evaluates the elements of a list for every overload, and all overloads where a dim is not known: a call of a
function of lists costs as much as it has rows. ty does not solve variadic tuples (PEP 646), and keeps the rows by rank.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from inspect import Parameter
from itertools import groupby
from typing import NamedTuple

from .thrift import Overload

REST = "*_Ts"
#: The axes that have a row of their own.
AXES = (0, -1, 1)

_LIST = re.compile(r"^Sequence\[_Item\[_O, tuple\[(?P<dims>[\w, ()]+)\], _Known\]\]$")
_RESULT = re.compile(r"^Array\[(?P<dtype>\w+), tuple\[(?P<dims>[\w, ()]+)\]\]$")
_AXIS_NAMES = ("axis", "dimension")
_AXIS = re.compile(r"^Literal\[(?P<values>[-\d, ]+)\]$")


#: What is given and what results, as dims.
_Template = tuple[tuple[str, ...], tuple[str, ...]]
_NAMES = ("_K", "_L", "_M", "_N")


class Block(NamedTuple):
    """Overloads that follow each other, and those that say the same of any rank."""

    by_rank: list[Overload]
    of_any_rank: list[Overload]


class _Case(NamedTuple):
    """What an overload says of one axis."""

    overload: Overload
    axis: int
    given: tuple[str, ...]
    result: tuple[str, ...]


def blocks(overloads: Iterable[Overload]) -> Iterator[Block]:
    """All the overloads in their order; `of_any_rank` is the same where nothing can be put together."""
    for is_by_rank, run in groupby(overloads, lambda one: _by_rank(one) is not None):
        rows = list(run)
        merged = list(_merged(rows)) if is_by_rank else []
        yield Block(rows, merged or rows)


def _by_rank(one: Overload) -> tuple[re.Match[str], re.Match[str]] | None:
    given = [found for each in one.parameters if (found := _LIST.match(str(each.annotation)))]
    result = _RESULT.match(one.result)
    return (given[0], result) if len(given) == 1 and result and _axis(one) else None


def _axis(one: Overload) -> Parameter | None:
    return next((each for each in one.parameters if each.name in _AXIS_NAMES), None)


def _merged(rows: list[Overload]) -> Iterator[Overload]:
    cases = [case for one in rows for case in _cases(one)]
    for axis in AXES:
        found = [case for case in cases if case.axis == axis]
        before = axis if axis >= 0 else -axis - 1
        for near in (before, before + 1):  # a dim is added at the axis, or the one there is replaced
            templates = {_template(case, near) for case in found}
            template = templates.pop() if len(templates) == 1 else None
            if template is not None and len(found) > 1:
                yield _written(found[0], template)
                break


def _cases(one: Overload) -> Iterator[_Case]:
    matches = _by_rank(one)
    axis = _axis(one)
    found = _AXIS.match(str(axis.annotation)) if axis else None
    if matches is None or found is None:
        return
    given, result = (tuple(re.findall(r"\w+", match["dims"])) for match in matches)
    for value in found["values"].split(", "):
        yield _Case(one, int(value), given, result)


def _template(case: _Case, near: int) -> _Template | None:
    """The dims that are given and those of the result, with one name for all but the `near` ones before the axis."""
    given, result = case.given, case.result
    if case.axis < 0:
        given, result = given[::-1], result[::-1]
    if len(given) < near:
        return None
    far = given[near:]
    kept = len(result) - len(far)
    if result[kept:] != far:
        return None
    names = dict(zip(_named(given[:near]), _NAMES, strict=False))

    def whole(dims: tuple[str, ...]) -> tuple[str, ...]:
        found = (*(names.get(dim, dim) for dim in dims), REST)
        return found[::-1] if case.axis < 0 else found

    return whole(given[:near]), whole(result[:kept])


def _named(dims: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(dim for dim in dims if dim not in ("Any", "Unk")))


def _written(case: _Case, template: _Template) -> Overload:
    given, result = template

    def stated(one: Parameter) -> Parameter:
        if one.name in _AXIS_NAMES:
            default = one.default if one.default == case.axis else Parameter.empty
            return one.replace(annotation=f"Literal[{case.axis}]", default=default)
        if _LIST.match(str(one.annotation)):
            return one.replace(annotation=f"Sequence[_Item[_O, tuple[{', '.join(given)}], _Known]]")
        return one

    overload = case.overload
    parameters = [stated(one) for one in overload.parameters]
    dtype = overload.result.partition("[")[2].partition(",")[0]
    return Overload(_keywords(parameters), f"Array[{dtype}, tuple[{', '.join(result)}]]")


def _keywords(parameters: list[Parameter]) -> list[Parameter]:
    """The parameters, by keyword where a required one would follow an optional one."""
    made: list[Parameter] = []
    for one in parameters:
        follows = any(before.default is not Parameter.empty for before in made)
        required = one.default is Parameter.empty and one.kind is Parameter.POSITIONAL_OR_KEYWORD
        made.append(one.replace(kind=Parameter.KEYWORD_ONLY) if follows and required else one)
    return made
