"""Where things are in the functions and classes of a module's top level, wherever these stand: it outlasts edits of others."""

from __future__ import annotations

import ast
import bisect
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ..identity import identity

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Unclear(Exception):
    """It is not in a function or class of the top level, or cannot be written."""


class StableLocation(NamedTuple):
    """A place in a definition: its module, its name, its text, and the line and the column in it."""

    module: str
    unit: str
    text: str
    line: int
    column: int


class Definition(NamedTuple):
    """A definition: its lines, which count from 1, and their text."""

    module: str
    path: str
    name: str
    start: int
    end: int
    text: str


class Units:
    """The definitions of a program.

    Args:
        modules: the modules by name, each with its path, its syntax tree and its text.
    """

    def __init__(self, modules: Mapping[str, tuple[str, ast.Module, str]]) -> None:
        self._by_path: dict[str, list[Definition]] = {}
        self._by_name: dict[tuple[str, str], Definition | None] = {}
        self._functions: dict[int, StableLocation] = {}
        self._at: dict[StableLocation, int] = {}
        for name, (path, tree, text) in modules.items():
            lines = text.splitlines()
            for node in tree.body:
                if isinstance(node, DEFINITIONS):
                    self._add(name, path, node, lines)

    def _add(self, module: str, path: str, node: Any, lines: list[str]) -> None:
        start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        end = node.end_lineno or node.lineno
        unit = Definition(module, path, node.name, start, end, "\n".join(lines[start - 1 : end]))
        self._by_path.setdefault(path, []).append(unit)
        key = (module, node.name)
        self._by_name[key] = None if key in self._by_name else unit  # of two of a name neither is clear
        for function in _functions(node):
            spot = _spot(unit, function.lineno, function.col_offset)
            self._functions[identity(function)], self._at[spot] = spot, identity(function)

    def has(self, spot: StableLocation) -> bool:
        """Whether the definition is there as it was."""
        unit = self._by_name.get((spot.module, spot.unit))
        return unit is not None and unit.text == spot.text

    def spot_of_function(self, node: int) -> StableLocation:
        """Where the function or class with a syntax tree of this id is.

        Raises:
            Unclear: in no definition of the top level.
        """
        spot = self._functions.get(node)
        if spot is None or not self.has(spot):
            raise Unclear
        return spot

    def spot_of_place(self, path: str, line: int, column: int) -> StableLocation:
        """The spot of a place.

        Raises:
            Unclear: it is in no definition of the top level.
        """
        units = self._by_path.get(path, [])
        at = bisect.bisect_right(units, line, key=lambda unit: unit.start) - 1
        if at < 0 or line > units[at].end:
            raise Unclear
        spot = _spot(units[at], line, column)
        if not self.has(spot):
            raise Unclear
        return spot

    def function_at(self, spot: StableLocation) -> int:
        """The id of the syntax tree of the function at a spot."""
        return self._at[spot]

    def place_of(self, spot: StableLocation) -> tuple[str, int, int]:
        """The file, the line and the column of a spot that is there."""
        unit = self._by_name[spot.module, spot.unit]
        assert unit is not None
        return unit.path, unit.start + spot.line, spot.column


def _spot(unit: Definition, line: int, column: int) -> StableLocation:
    return StableLocation(unit.module, unit.name, unit.text, line - unit.start, column)


def _functions(node: ast.AST) -> Iterator[Any]:
    """The functions and classes in a definition, and itself."""
    if isinstance(node, DEFINITIONS):
        yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.stmt, ast.ExceptHandler, ast.match_case)):
            yield from _functions(child)
