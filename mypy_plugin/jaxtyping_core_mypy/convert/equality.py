"""Dims of functions whose bodies find out that they are equal, to each other or to numbers: ``if n == m:``.

Their type variables stay different ones. What comes of arrays with them is therefore open where the equality may hold: in the
body of the ``if``, or after ``assert n == m`` in all of the function.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from mypy.nodes import CallExpr, ComparisonExpr, Expression, FuncItem, IfStmt, OpExpr, Statement
from mypy.types import TypeVarId, TypeVarType

WORD = re.compile(r"[A-Za-z_]\w*", re.ASCII)


class EqualDims:
    """Such dims of the functions of a module, with the lines where they are open."""

    def __init__(self, statements: Iterable[Statement] = ()) -> None:
        self._statements = statements
        self._bodies: dict[int, range] | None = None
        self._lines: dict[TypeVarId, list[range]] = defaultdict(list)
        self._names: dict[str, list[range]] = defaultdict(list)
        self._open: list[range] = []

    def add(self, variable: TypeVarType, function: FuncItem, comparison: Expression) -> None:
        """Take up a dim of a function, which an expression in it compares."""
        if self._bodies is None:
            self._bodies = dict(_bodies(self._statements))
        whole = range(function.line, (function.end_line or function.line) + 1)
        lines = self._bodies.get(id(comparison), whole)
        self._lines[variable.id].append(lines)
        self._names[variable.name].append(lines)

    def open_all(self, function: FuncItem, check: Statement) -> None:
        """Leave all dims of a function open after a call that checks which of them are equal."""
        self._open.append(range(check.line, (function.end_line or function.line) + 1))

    def has(self, variable: TypeVarType, line: int) -> bool:
        """Whether a dim is open in a line."""
        return self._is_open(line) or any(line in lines for lines in self._lines.get(variable.id, ()))

    def are_in(self, text: str, line: int) -> bool:
        """Whether a formula in a line, or what mypy says of it, has the name of such a dim in it."""
        return self._is_open(line) or (
            bool(self._names)
            and any(line in lines for name in WORD.findall(text) for lines in self._names.get(name, ()))
        )

    def _is_open(self, line: int) -> bool:
        return bool(self._open) and any(line in lines for lines in self._open)


def _bodies(statements: Iterable[Statement]) -> Iterator[tuple[int, range]]:
    """The comparisons, and calls of `isinstance`, that make an ``if`` go into a body, each with the lines from there to the end of the body."""
    for statement in statements:
        if isinstance(statement, IfStmt):
            for condition, body in zip(statement.expr, statement.body, strict=True):
                last = body.body[-1]
                lines = range(condition.line, (last.end_line or last.line) + 1)
                yield from ((id(comparison), lines) for comparison in _equalities(condition))


def _equalities(condition: Expression) -> Iterator[Expression]:
    match condition:
        case OpExpr(op="and" | "or"):
            yield from _equalities(condition.left)
            yield from _equalities(condition.right)
        case ComparisonExpr(operators=["=="]) | CallExpr():
            yield condition
