"""The overloads of a function as text, with the names that they use."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from inspect import Parameter
from typing import Any, NamedTuple

from .. import scalars
from . import probe, rows, study


class Overload(NamedTuple):
    """An overload: its parameters, with annotations that are text, and its result."""

    parameters: list[Parameter]
    result: str


@functools.cache
def found(path: str, function: Callable[..., Any]) -> study.Study | None:
    """What is found out about a function."""
    try:
        return study.study(probe.probe(path, function))
    except ValueError:  # no signature
        return None


def overloads(path: str, function: Callable[..., Any]) -> list[Overload]:
    """The overloads that state what is known of a function; none where nothing is."""
    known = found(path, function)
    if known is None:
        return []
    made = [Overload(rows.parameters(known, row), row.result) for row in rows.rows(known)]
    return made if any(_says_something(one.result) for one in made) else []


def _says_something(result: str) -> bool:
    return re.sub(r"Array\[Unk, Unk\]|list|tuple|\W|\.\.\.", "", result) != ""


#: Names of the vocabulary of rows, by the module of the stubs that defines them.
_BASE = re.compile(r"_[A-Z]\w*|Unk|DTypeObject|Array")
_TABLE = re.compile(r"_(?:Has|Join|Divide|Power)(?:_\w+)?")


def vocabulary(text: str) -> Iterator[tuple[str, str]]:
    """The names in annotations that a module must import, with their modules."""
    for name in dict.fromkeys(re.findall(r"(?<![\w.])[A-Za-z_]\w*", text)):
        if _TABLE.fullmatch(name) or name in _classes():
            yield name, "jax._src.numpy.scalar_types"
        elif _BASE.fullmatch(name):
            yield name, "jax._src.basearray"


@functools.cache
def _classes() -> frozenset[str]:
    return frozenset({*scalars.class_names(), "DefaultInt", "DefaultUInt", "DefaultFloat", "DefaultComplex"})
