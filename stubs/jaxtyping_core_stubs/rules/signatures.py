"""The parameters of an overload."""

from __future__ import annotations

from inspect import Parameter

from ..probing.parameters import Argument
from .function_rules import Study
from .grouping import Choice
from .making import Row


def parameters(study: Study, row: Row) -> list[Parameter]:
    """The parameters of a row. Those after one that is missing, or that need no longer be given, are keywords."""
    made: list[Parameter] = []
    keywords = optional = False
    for argument in study.probe.parameters:
        if argument.starred:
            keywords = True
            continue
        choice = _stated(argument, row.choices.get(argument.name))
        if choice is None:
            keywords = True
            continue
        keywords = keywords or (optional and not choice.left_out)
        optional = optional or choice.left_out
        made.append(_parameter(argument, choice, keywords))
    return made


def _stated(argument: Argument, choice: Choice | None) -> Choice | None:
    """The choice, if it can be stated: a parameter that is only ever left out is there if it may be its default."""
    if choice is not None and choice.annotations:
        return choice
    default = argument.parameter.default
    if default is None and argument.parameter.kind is Parameter.POSITIONAL_ONLY:
        return None  # who gives it does so for another row: the number of arguments tells the rows apart
    if default is None or (choice is not None and type(default) in (bool, int, str)):
        return Choice(("None" if default is None else f"Literal[{default!r}]",), True)
    return None


def _parameter(argument: Argument, choice: Choice, keyword: bool) -> Parameter:
    kind = argument.parameter.kind
    if keyword and kind is Parameter.POSITIONAL_OR_KEYWORD:
        kind = Parameter.KEYWORD_ONLY
    default = argument.parameter.default if choice.left_out else Parameter.empty
    return argument.parameter.replace(kind=kind, default=default, annotation=annotation(choice, default))


def annotation(choice: Choice, default: object) -> str:
    """The annotation for a choice."""
    parts = [part for text in choice.annotations for part in text.split(" | ")]
    if {"Literal[False]", "Literal[True]"} <= set(parts):
        parts = ["_bool", *(part for part in parts if not part.startswith("Literal["))]
    if default is None and "Axis" not in parts:  # which may be None
        parts.append("None")
    unique = ["Any"] if "Any" in parts else dict.fromkeys(parts)
    return " | ".join(sorted(unique, key=lambda part: part == "None"))
