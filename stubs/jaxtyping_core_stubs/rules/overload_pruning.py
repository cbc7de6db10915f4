"""Leaves out the overloads that no call comes to: a type checker pays for each of them at every call."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from inspect import Parameter
from typing import NamedTuple

from .making import Purpose

#: A type variable for a whole shape, which any shape is taken for.
_ANY_SHAPE = re.compile(r"^Array\[(?P<dtype>.*), (?P<shape>_S|_T|Any)\]$")


class Overload(NamedTuple):
    """An overload: what it is for, its parameters, with annotations that are text, and its result."""

    purpose: Purpose
    parameters: list[Parameter]
    result: str


def reached(overloads: Iterable[Overload]) -> list[Overload]:
    """The overloads, less those of which an earlier one takes all calls."""
    kept: list[Overload] = []
    for overload in overloads:
        if not any(covers(earlier, overload) for earlier in kept):
            kept.append(overload)
    return kept


def covers(earlier: Overload, later: Overload) -> bool:
    """Whether each call of `later` is one of `earlier`."""
    own = {parameter.name: parameter for parameter in earlier.parameters}
    others = {parameter.name: parameter for parameter in later.parameters}
    if any(name not in others and parameter.default is Parameter.empty for name, parameter in own.items()):
        return False
    return all(
        name in own and _takes(own[name], parameter, own) for name, parameter in others.items()
    ) and _ordered(earlier.parameters, later.parameters)


def _takes(own: Parameter, other: Parameter, every: Mapping[str, Parameter]) -> bool:
    """Whether a parameter takes the arguments of another one, wherever they may be given."""
    if other.kind is not own.kind and own.kind is not Parameter.POSITIONAL_OR_KEYWORD:
        return False
    if other.default is not Parameter.empty and own.default is Parameter.empty:
        return False
    wide, narrow = str(own.annotation), str(other.annotation)
    return _parts(narrow) <= _parts(wide) or wide == "Any" or _is_wider(wide, narrow, every)


def _parts(annotation: str) -> set[str]:
    """The members of a union; a bracket that is cut in two is in both annotations or in none."""
    return set(annotation.split(" | "))


def _is_wider(wide: str, narrow: str, every: Mapping[str, Parameter]) -> bool:
    """Whether an array may have any shape where another parameter wants it to have a certain one."""
    array = _ANY_SHAPE.match(wide)
    if not array or not narrow.startswith(f"Array[{array['dtype']}, "):
        return False
    name = rf"\b{array['shape']}\b"
    return (
        array["shape"] == "Any"
        or sum(len(re.findall(name, str(parameter.annotation))) for parameter in every.values()) == 1
    )


def _ordered(earlier: list[Parameter], later: list[Parameter]) -> bool:
    """Whether the arguments by position are the same ones."""
    places = [parameter.name for parameter in earlier if parameter.kind is not Parameter.KEYWORD_ONLY]
    wanted = [parameter.name for parameter in later if parameter.kind is not Parameter.KEYWORD_ONLY]
    return places[: len(wanted)] == wanted
