"""The overloads of a function, with the names that they use."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .. import declared, scalars
from . import budget, dim_expressions, named, rows, rule_cache, signatures, sized, stated
from .excluded import EXCLUDED
from .function_rules import Study
from .making import Purpose
from .overload_pruning import Overload, reached
from .summaries import Words, words


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
    written = list(_written(path, function))
    studies = rule_cache.studies(path, function) if path not in EXCLUDED else []
    for claim in (claim for study in studies for claim in dim_expressions.plain(study).claims):
        named.learn(path, claim.results)
    made = [overload for study in studies for overload in _found_out(study)]
    if not any(_says_something(overload.result) for overload in made):
        made, studies = [], []
    if not written and not made:
        return NOTHING
    every = sorted([*written, *made], key=lambda overload: overload.purpose.place)
    kept = budget.select(path, sized.guarded(path, reached(every)), declared.count(path, function))
    shown = [sized.open_in_pyright(path, overload) for overload in kept]
    return Rules(shown, words(studies) if made else WRITTEN)


def _written(path: str, function: Callable[..., Any]) -> Iterator[Overload]:
    for row in stated.overloads(path, function):
        yield Overload(Purpose.LAST if row.after else Purpose.STATED, row.parameters, row.result)


def _found_out(study: Study) -> Iterator[Overload]:
    for row in rows.rows(study):
        yield Overload(row.purpose, signatures.parameters(study, row), row.result)


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


_ARRAY = re.compile(r"Array\[(.*)\]")


def parts(annotation: str) -> tuple[str, str] | None:
    """The dtype and the shape in the annotation of an array; None for any other."""
    array = _ARRAY.fullmatch(annotation)
    depth = 0
    for place, letter in enumerate(array[1] if array else ""):
        depth += {"[": 1, "]": -1}.get(letter, 0)
        if array and letter == "," and depth == 0:
            return array[1][:place], array[1][place + 2 :]
    return None
