"""The statements of a file as a later text of it has them: by what they say, whatever line they are on.

What a run showed of an expression holds as long as the statement says the same, and so do those that bind the names in it: the function, the
loader or the path of a file that a call names.
"""

from __future__ import annotations

import ast
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from jaxtyping_core.programs.syntax import DEFINITIONS, children

#: Statements that contribute to what one of them is known by.
MOST_STATEMENTS = 200
_SCOPES = (*DEFINITIONS, ast.Lambda)


class Span(NamedTuple):
    """Where an expression is: lines count from 1, columns are bytes from 0, as in `ast`."""

    line: int
    column: int
    end_line: int
    end_column: int


def span_of(node: ast.expr | ast.arg) -> Span:
    """Where an expression or a parameter is."""
    return Span(node.lineno, node.col_offset, node.end_lineno or node.lineno, node.end_col_offset or 0)


@dataclass(eq=False, slots=True)
class Statement:
    """A statement, of one that has others in it the lines before these.

    `scope` are the functions and classes around it. `whole` is all of its text.
    """

    scope: tuple[str, ...]
    line: int
    column: int
    end_line: int
    text: str
    whole: str
    loads: set[str] = field(default_factory=set)
    stores: set[str] = field(default_factory=set)
    number: str = ""
    key: str = ""


class Site(NamedTuple):
    """An expression in a statement: the digest of the statement, and where in it the expression is."""

    key: str
    place: str


class Sites:
    """The statements of one text of a file.

    Args:
        text: the text.
        tree: its syntax tree.
    """

    def __init__(self, text: str, tree: ast.Module) -> None:
        self._lines = [line.encode() for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
        self.statements: list[Statement] = []
        self._by_key: dict[str, Statement] = {}
        self._binders: defaultdict[tuple[tuple[str, ...], str], list[Statement]] = defaultdict(list)
        self._read(tree.body, ())
        counts = Counter((statement.scope, statement.text) for statement in self.statements)
        seen: Counter[tuple[tuple[str, ...], str]] = Counter()
        for statement in self.statements:
            same = statement.scope, statement.text
            seen[same] += 1
            # Where one more says the same from now on, it is not known which of them was recorded.
            statement.number = f"{seen[same]} of {counts[same]}"
            for name in statement.stores:
                self._binders[statement.scope, name].append(statement)

    def site(self, span: Span) -> Site | None:
        """An expression, by the innermost statement around it."""
        around = [each for each in self.statements if each.line <= span.line <= each.end_line]
        if not around:
            return None
        statement = max(around, key=lambda each: (each.line, each.column))
        own = (_relative(statement, *point) for point in (span[:2], span[2:]))
        return Site(self._key(statement), " ".join(f"{line} {column}" for line, column in own))

    def span(self, site: Site) -> Span | None:
        """Where an expression is in this text; None if its statement says something else now."""
        if not self._by_key:
            self._by_key = {self._key(statement): statement for statement in self.statements}
        statement = self._by_key.get(site.key)
        if statement is None:
            return None
        numbers = [int(part) for part in site.place.split()]
        if len(numbers) != 4:
            return None
        points = (_absolute(statement, *point) for point in (numbers[:2], numbers[2:]))
        return Span(*(part for point in points for part in point))

    def keys(self) -> set[str]:
        """What the statements are known by."""
        return {self._key(statement) for statement in self.statements}

    def _key(self, statement: Statement) -> str:
        if not statement.key:
            parts = [*statement.scope, str(statement.number), statement.text]
            parts += sorted(each.whole for each in self._before(statement))
            statement.key = hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:24]
        return statement.key

    def _before(self, statement: Statement) -> list[Statement]:
        """The statements that bind the names in a statement, and the names in these."""
        reached: dict[int, Statement] = {}
        waiting = [statement]
        while waiting and len(reached) < MOST_STATEMENTS:
            for other in self._bound_by(waiting.pop()):
                if other is not statement and id(other) not in reached:
                    reached[id(other)] = other
                    waiting.append(other)
        return [*reached.values()]

    def _bound_by(self, statement: Statement) -> Iterator[Statement]:
        for name in statement.loads:
            for depth in range(len(statement.scope), -1, -1):
                if binders := self._binders.get((statement.scope[:depth], name)):
                    yield from binders
                    break

    def _read(self, body: list[ast.stmt], scope: tuple[str, ...]) -> None:
        for node in body:
            self._add(node, scope)

    def _add(self, node: ast.stmt, scope: tuple[str, ...]) -> None:
        inner = [*_inner(node)]
        first = min(((each.lineno, each.col_offset) for each in inner), default=None)
        last = node.end_lineno or node.lineno, node.end_col_offset or 0
        begin = node.lineno, node.col_offset
        end_line = last[0] if first is None else max(node.lineno, first[0] - 1)
        text = self._text(begin, first or last).rstrip()
        statement = Statement(scope, *begin, end_line, text, self._text(begin, last))
        own: list[ast.AST] = [node]
        for each in own:  # which grows meanwhile
            is_whole = isinstance(node, DEFINITIONS)
            own += (child for child in children(each) if is_whole or not isinstance(child, ast.stmt))
        for each in own:
            if isinstance(each, ast.Name):
                (statement.loads if isinstance(each.ctx, ast.Load) else statement.stores).add(each.id)
            elif isinstance(each, ast.alias):
                statement.stores.add(each.asname or each.name.partition(".")[0])
        if isinstance(node, DEFINITIONS):
            statement.stores = {node.name}
        self.statements.append(statement)
        self._read(inner, (*scope, node.name) if isinstance(node, DEFINITIONS) else scope)

    def _text(self, start: tuple[int, int], end: tuple[int, int]) -> str:
        lines = self._lines[start[0] - 1 : end[0]]
        if not lines:
            return ""
        lines[-1] = lines[-1][: end[1]]
        lines[0] = lines[0][start[1] :]
        return b"\n".join(lines).decode(errors="replace")


def _inner(node: ast.stmt) -> Iterator[ast.stmt]:
    """The statements right inside a statement."""
    for child in children(node):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
            yield from child.body


def _relative(statement: Statement, line: int, column: int) -> tuple[int, int]:
    return line - statement.line, column - (statement.column if line == statement.line else 0)


def _absolute(statement: Statement, line: int, column: int) -> tuple[int, int]:
    return statement.line + line, column + (0 if line else statement.column)
