"""How real packages call the functions of JAX: the counts of `benchmarks/call_shapes.py`, kept beside this module.

A row that no call in them would take is not stated, unless it guards against a wrong claim.
"""

from __future__ import annotations

import functools
import json
from inspect import Parameter
from pathlib import Path

from .making import Purpose
from .overload_pruning import Overload

FILE = Path(__file__).parent.parent / "use.json"

#: Kinds of arguments that may be a Python number.
_NUMBERS = ("int", "float", "bool", "negative")
#: Kinds of arguments of which the source does not say whether they are numbers, tuples or arrays.
_ANYTHING = ("name", "attribute", "call", "item", "operator")


@functools.cache
def _counts() -> dict[str, dict[str, dict[str, int]]]:
    counts: dict[str, dict[str, dict[str, int]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return counts


def calls(path: str) -> int:
    """The number of calls of a function."""
    return _counts().get(path, {}).get("", {}).get("calls", 0)


def arguments(path: str, parameter: str) -> dict[str, int]:
    """The kinds of arguments that a parameter is given, with their numbers."""
    return _counts().get(path, {}).get(parameter, {})


def needs(path: str, row: Overload) -> bool:
    """Whether a row is worth stating: what tells the dtype always is, all else where a call would take it."""
    if row.purpose in (Purpose.GUARD, Purpose.DTYPE, Purpose.STATED, Purpose.LAST, Purpose.DATA):
        return True
    return calls_of(path, row) > 0


def calls_of(path: str, row: Overload) -> int:
    """The number of calls that a row is for, at a guess: by its rarest argument."""
    every = calls(path)
    if row.purpose is Purpose.SCALAR:
        return _numbers(path, row)
    asked = [
        _of(_kinds(path, place, parameter), parameter, every)
        for place, parameter in enumerate(row.parameters)
    ]
    return min([every, *asked]) if every else int(row.purpose is Purpose.SHAPE)


def _kinds(path: str, place: int, parameter: Parameter) -> dict[str, int]:
    """The kinds of arguments that a parameter is given, by its name or its place."""
    return arguments(path, parameter.name) or arguments(path, str(place))


def _of(kinds: dict[str, int], parameter: Parameter, every: int) -> int:
    """The calls with an argument as annotated, or without it."""
    annotations = str(parameter.annotation).split(" | ")
    fitting = sum(count for kind, count in kinds.items() if any(_fits(kind, text) for text in annotations))
    left_out = every - sum(kinds.values()) if parameter.default is not Parameter.empty else 0
    return fitting + max(left_out, 0)


def _fits(kind: str, annotation: str) -> bool:
    """Whether an argument of a kind may be as annotated."""
    if annotation.startswith("Literal["):
        value = annotation.removeprefix("Literal[").rstrip("]")
        return kind == "bool" if value in ("True", "False") else kind.endswith(f"int: {value}")
    if annotation.startswith("tuple[") and "Array" not in annotation:
        size = 0 if annotation == "tuple[()]" else annotation.count(",") + 1
        return kind.startswith((f"tuple of {size}", f"list of {size}"))
    if annotation == "None":
        return kind == "None"
    return True


def _numbers(path: str, row: Overload) -> int:
    """The calls with a Python number, or with what may be one, for an argument that takes one in the row."""
    return sum(
        count
        for place, parameter in enumerate(row.parameters)
        if set(str(parameter.annotation).split(" | ")) & {"int", "_PyFloat", "_bool"}
        for kind, count in _kinds(path, place, parameter).items()
        if kind.startswith((*_NUMBERS, *_ANYTHING))
    )
