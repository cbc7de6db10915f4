"""The parameters of an overload."""

from __future__ import annotations

from inspect import Parameter

from ..probing.parameters import Given
from .grouping import Choice
from .making import Row
from .study import Study


def parameters(found: Study, row: Row) -> list[Parameter]:
    """The parameters of a row. Those after one that is missing, or that need no longer be given, are keywords."""
    made: list[Parameter] = []
    keywords = optional = False
    for given in found.probe.parameters:
        if given.starred:
            keywords = True
            continue
        choice = _stated(given, row.choices.get(given.name))
        if choice is None:
            keywords = True
            continue
        keywords = keywords or (optional and not choice.left_out)
        optional = optional or choice.left_out
        made.append(_parameter(given, choice, keywords))
    return made


def _stated(given: Given, choice: Choice | None) -> Choice | None:
    """The choice, if it can be stated: a parameter that is only ever left out is there if it may be its default."""
    if choice is not None and choice.annotations:
        return choice
    default = given.parameter.default
    if default is None and given.parameter.kind is Parameter.POSITIONAL_ONLY:
        return None  # who gives it does so for another row: the number of arguments tells the rows apart
    if default is None or (choice is not None and type(default) in (bool, int, str)):
        return Choice(("None" if default is None else f"Literal[{default!r}]",), True)
    return None


def _parameter(given: Given, choice: Choice, keyword: bool) -> Parameter:
    kind = given.parameter.kind
    if keyword and kind is Parameter.POSITIONAL_OR_KEYWORD:
        kind = Parameter.KEYWORD_ONLY
    default = given.parameter.default if choice.left_out else Parameter.empty
    return given.parameter.replace(kind=kind, default=default, annotation=annotation(choice, default))


def annotation(choice: Choice, default: object) -> str:
    """The annotation for a choice."""
    parts = [part for text in choice.annotations for part in text.split(" | ")]
    if {"Literal[False]", "Literal[True]"} <= set(parts):
        parts = ["_bool", *(part for part in parts if not part.startswith("Literal["))]
    if default is None and "Axis" not in parts:  # which may be None
        parts.append("None")
    unique = ["Any"] if "Any" in parts else dict.fromkeys(parts)
    return " | ".join(sorted(unique, key=lambda part: part == "None"))
