"""The parts of a file of which mypy finds after an edit what it found before: it is given the text without them.

Whether a definition may be meant by an edit is told by names, as for the evaluation (`programs.reach`). Of those that cannot, mypy needs
none that neither what has changed nor the statements around the definitions name, and nothing that they name leads to; and of the others
not the bodies. So none is left out from which anything else in the file has its type, or of which the plugin knows what it changes.
"""

from __future__ import annotations

import ast
import functools
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from jaxtyping_core.lsp import outside
from jaxtyping_core.lsp.outside import WORD
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs.syntax import DEFINITIONS, Definition, first_line

#: What stands for a body: whatever a function gives, mypy has nothing to say of it.
NOTHING = "assert False"
#: What stands for a whole definition where a name is not defined: mypy tells which names are like it.
STAND_IN = "{} = 0"
#: Comments that set options of mypy's, wherever they are, or declare types as Python 2 did.
OPTIONS = re.compile(r"#\s*(?:mypy:|type:\s*(?!ignore\b))")
#: What the plugin asks the whole module: whether it binds the guard that is written into conditions, and which promotion system is in force.
GUARD, SYSTEM = re.compile(r"\bascii\b"), re.compile(r"\b(?:set_)?promotion\b")
LAYER = re.compile(r"\bjaxtyping_core(?:\.numpy\b|\s+import\b)")
#: Definitions of which it is kept what they say: an edit leaves most of a file as it was.
MOST = 20_000


class Part(NamedTuple):
    """Lines that may be left out, counted from 0: those from `first` to `end` of a function or class that begins at `start`.

    `unit` is the definition of the top level that it is, or is in; of a whole one, `first` is `start`.
    """

    unit: tuple[str, int]
    name: str
    start: int
    first: int
    end: int

    @property
    def is_whole(self) -> bool:
        """Whether it is all of a definition."""
        return self.first == self.start

    @property
    def lines(self) -> range:
        """All its lines."""
        return range(self.start, self.end)

    def moved(self, by: int) -> Part:
        """It some lines further down."""
        return self._replace(start=self.start + by, first=self.first + by, end=self.end + by)


class _Function(NamedTuple):
    """A function whose body may be left out, with its lines, those of its unit from 0, and the names that it passes on."""

    name: str
    start: int
    first: int
    end: int
    passed: frozenset[str]


class _Read(NamedTuple):
    """What the text of a definition says.

    Attributes:
        functions: those whose bodies may be left out.
        to_others: what may matter to code that does not name it, and that no edit of it may change.
        is_alone: whether nothing of it matters to such code.
        words: the words in it, and in its `outline`, which is what is left without those bodies.
        leads: the names to which it may add something.
        told: what it says of names wherever they stand.
        passing: the calls that pass names that are not its own.
    """

    functions: tuple[_Function, ...]
    to_others: tuple[str, ...]
    is_alone: bool
    words: frozenset[str]
    outline: frozenset[str]
    leads: frozenset[str]
    told: Counter[tuple[str, str]]
    passing: tuple[tuple[frozenset[str], str], ...]


class Unit(NamedTuple):
    """A definition of a file's top level, with its lines, counted from 0, and what it says."""

    key: tuple[str, int]
    node: Definition
    start: int
    end: int
    read: _Read

    @property
    def whole(self) -> Part:
        """All of it."""
        return Part(self.key, self.node.name, self.start, self.start, self.end)


class Definitions:
    """The definitions of a file, and the statements around them."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.units = list(_units(source))
        self._is_one = _is_one(source.text)
        self._containers = outside.containers(source.tree.body, DEFINITIONS)

    @functools.cached_property
    def bodies(self) -> list[Part]:
        """The functions whose bodies may be left out."""
        if self._is_one:
            return []
        return [
            Part(unit.key, each.name, unit.start + each.start, unit.start + each.first, unit.start + each.end)
            for unit in self.units
            for each in unit.read.functions
            if each.passed.isdisjoint(self._containers)
        ]

    @functools.cached_property
    def declared(self) -> frozenset[str]:
        """The names that are declared in the definitions."""
        return frozenset(name for unit in self.units for kind, name in unit.read.told if kind == "declared")

    def around(self) -> list[str]:
        """What of the text may matter to all of it: the lines that are in no class, and in no function that matters only to what names it, but for empty ones.

        The names of these take their place, with what classes may do to others.
        """
        lines, at = [], 0
        for unit in self.units:
            if isinstance(unit.node, ast.ClassDef) or unit.read.is_alone:
                to_others = (*unit.read.to_others, *self._passing(unit))
                lines += [*self.source.lines[at : unit.start], unit.node.name, *to_others]
                at = unit.end
        return [line for line in (*lines, *self.source.lines[at:]) if line.strip()]

    def unneeded(self, same: Container[tuple[str, int]], spoilt: Container[int]) -> Iterator[Part]:
        """What may be left out when nothing else is known than that of some definitions the same is known as before.

        Args:
            same: these definitions.
            spoilt: lines of which the same is not known for all that.
        """
        bodies: dict[tuple[str, int], list[Part]] = {}
        for body in self.bodies:
            if body.unit in same and not any(line in spoilt for line in body.lines):
                bodies.setdefault(body.unit, []).append(body)
        needed = {*range(len(self.units))} if self._is_one else self._needed(same, spoilt, bodies)
        for number, unit in enumerate(self.units):
            if number in needed:
                yield from bodies.get(unit.key, ())
            else:
                yield unit.whole

    def _needed(
        self,
        same: Container[tuple[str, int]],
        spoilt: Container[int],
        bodies: Mapping[tuple[str, int], Sequence[Part]],
    ) -> set[int]:
        """The numbers of the definitions that are needed, without these bodies."""
        named: dict[str, list[int]] = {}
        led: dict[str, list[int]] = {}
        for number, unit in enumerate(self.units):
            named.setdefault(unit.node.name, []).append(number)
            for name in unit.read.leads:
                led.setdefault(name, []).append(number)
        waiting = [
            number for number, unit in enumerate(self.units) if not self._is_dispensable(unit, same, spoilt)
        ]
        waiting += [number for word in self._words_around() for number in named.get(word, ())]
        needed: set[int] = set()
        while waiting:
            number = waiting.pop()
            if number in needed:
                continue
            needed.add(number)
            unit = self.units[number]
            is_outline = len(bodies.get(unit.key, ())) == len(unit.read.functions)
            words = unit.read.outline if is_outline else unit.read.words
            waiting += [each for word in words if word in named for each in named[word]]
            waiting += led.get(unit.node.name, ())
        return needed

    def _is_dispensable(self, unit: Unit, same: Container[tuple[str, int]], spoilt: Container[int]) -> bool:
        """Whether nothing but names leads to a definition of which the same is known as before."""
        is_same = unit.key in same and not any(line in spoilt for line in range(unit.start, unit.end))
        return is_same and unit.read.is_alone and not self._passing(unit)

    def _passing(self, unit: Unit) -> list[str]:
        """The calls in a definition that pass variables of the module which these may change."""
        return [call for names, call in unit.read.passing if not names.isdisjoint(self._containers)]

    def _words_around(self) -> set[str]:
        """The words of the lines that are in no definition."""
        lines, at = [], 0
        for unit in self.units:
            lines += self.source.lines[at : unit.start]
            at = unit.end
        return {*WORD.findall("\n".join((*lines, *self.source.lines[at:])))}


def _is_one(text: str) -> bool:
    """Whether no part of a text can be left out."""
    asks = "ascii" in text and GUARD.search(text)
    asks = asks or ("promotion" in text and SYSTEM.search(text) and LAYER.search(text))
    return bool(OPTIONS.search(text) or asks)


def otherwise_told(units: Iterable[tuple[Unit, Unit]]) -> frozenset[str]:
    """The names of which definitions say something else now, wherever they stand."""
    names: set[str] = set()
    for was, now in units:
        if was.read is not now.read:
            before, after = was.read.told, now.read.told
            names |= {
                name for kind, name in before.keys() | after.keys() if before[kind, name] != after[kind, name]
            }
    return frozenset(names)


def without(source: Source, left_out: Iterable[Part], *, named: bool = False) -> str:
    """The text without some parts; its lines are where they were. If it is `named`, whole definitions leave their names."""
    lines = [*source.lines]
    for part in left_out:
        line = lines[part.first]
        indent = line[: len(line) - len(line.lstrip())]
        of_whole = STAND_IN.format(part.name) if named else ""
        first = of_whole if part.is_whole else indent + NOTHING
        lines[part.first : part.end] = [first, *[""] * (part.end - part.first - 1)]
    return "\n".join(lines)


def _units(source: Source) -> Iterator[Unit]:
    for node in source.tree.body:
        if isinstance(node, DEFINITIONS):
            start, end = first_line(node) - 1, node.end_lineno or 0
            read = _read("\n".join(source.lines[start:end]))
            yield Unit((node.name, start + 1), node, start, end, read)


@functools.lru_cache(maxsize=MOST)
def _read(text: str) -> _Read:
    (node,) = ast.parse(text).body
    assert isinstance(node, DEFINITIONS)
    lines = text.split("\n")
    inside = node.body if isinstance(node, ast.ClassDef) else [node]
    functions = tuple(function for part in inside for function in _functions(part, lines))
    left = [*lines]
    for function in functions:
        left[function.first : function.end] = [""] * (function.end - function.first)
    return _Read(
        functions,
        tuple(outside.to_others(node)) if isinstance(node, ast.ClassDef) else (),
        outside.is_alone(node),
        frozenset(WORD.findall(text)),
        frozenset(WORD.findall("\n".join(left))),
        outside.leading(node),
        outside.told_of_names(node, text),
        tuple(outside.passing(node)),
    )


def _functions(node: ast.stmt, lines: Sequence[str]) -> Iterator[_Function]:
    """A function whose body may be left out."""
    if isinstance(node, ast.FunctionDef) and not outside.is_seen_outside(node):
        first = first_line(node.body[0]) - 1
        # Nothing else stands in the first line.
        if not lines[first].encode()[: node.body[0].col_offset].strip():
            yield _Function(
                node.name,
                first_line(node) - 1,
                first,
                node.end_lineno or 0,
                frozenset[str]().union(*(names for names, _ in outside.passing(node))),
            )
