"""The overloads of a function, with the names that they use."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .. import scalars
from . import alike, by_rank, findings, joining, named, numpy_rows, signatures, stated
from .excluded import EXCLUDED
from .making import Row
from .study import Study
from .thrift import Overload, reached
from .words import Words, words


class Rules(NamedTuple):
    """The overloads of a function, and the line of the report on it."""

    overloads: list[Overload]
    words: Words


#: What is known of a function of which nothing is known.
NOTHING = Rules([], Words("", "", ""))


#: What the report says of a function of which all overloads are written down.
WRITTEN = Words("written down", "written down", "")


@functools.cache
def rules(path: str, function: Callable[..., Any]) -> Rules:
    """What is found out about the function that is called `path`."""
    written = stated.overloads(path, function)
    before, after = ([Overload(*one[:2]) for one in written if one.after == late] for late in (False, True))
    found = findings.found(path, function) if path not in EXCLUDED else []
    for claim in (claim for one in found for claim in one.known()):
        named.learn(path, claim.results)
    made = [Overload(signatures.parameters(one, row), row.result) for one in found for row in _rows(one)]
    if not any(_says_something(one.result) for one in made):
        made, found = [], []
    if not written and not made:
        return NOTHING
    return Rules(reached([*before, *made, *after]), words(found) if made else WRITTEN)


def _rows(found: Study) -> Iterator[Row]:
    yield from alike.of_unknown_dtype(found)
    yield from by_rank.overloads(found)
    yield from numpy_rows.overloads(found)
    for one in found.joining:
        yield from joining.overloads(found, one)
    yield from alike.overloads(found)


def overloads(path: str, function: Callable[..., Any]) -> list[Overload]:
    """The overloads that state what is known of a function; none where nothing is."""
    return rules(path, function).overloads


def _says_something(result: str) -> bool:
    return "Array[" in result and re.sub(r"Array\[Unk, Unk\]|list|tuple|\W", "", result) != ""


#: Names of the vocabulary of rows, by the module of the stubs that defines them.
_BASE = re.compile(r"_(?!InitializerOf)[A-Z]\w*|Unk|DTypeObject")  # that class is where its functions are
_TABLE = re.compile(r"_(?:Has|Join|Divide|Power)(?:_\w+)?")


def vocabulary(text: str) -> Iterator[tuple[str, str]]:
    """The names in annotations that a module must import, with their modules."""
    for name in dict.fromkeys(re.findall(r"(?<![\w.'])[A-Za-z_]\w*", text)):
        if name == "prng_key":
            yield name, "jax._src.dtypes"
        elif _TABLE.fullmatch(name) or name in _classes():
            yield name, "jax._src.numpy.scalar_types"
        elif _BASE.fullmatch(name):
            yield name, "jax._src.basearray"


@functools.cache
def _classes() -> frozenset[str]:
    return frozenset({*scalars.class_names(), "DefaultInt", "DefaultUInt", "DefaultFloat", "DefaultComplex"})
