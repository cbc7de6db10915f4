"""Where expressions are: what Python's own parser says, by what mypy's says.

mypy's native parser counts characters, and takes an operator to begin and end where its operands do, without the brackets
around these.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.sources import parse
from jaxtyping_core.programs.syntax import nodes

#: A line and a column.
Position = tuple[int, int]


class Span(NamedTuple):
    """Where an expression begins and ends."""

    line: int
    column: int
    end_line: int
    end_column: int


def by_mypys(text: str) -> dict[Span, Span]:
    """The spans of the expressions in a text, as `ast` has them, by those that mypy has, where these differ."""
    try:
        tree = parse(text)
    except CommandError:
        return {}
    lines = None if text.isascii() else text.splitlines()
    spans: dict[Span, Span] = {}
    for node in nodes(tree):
        if isinstance(node, ast.expr):
            span = _of_ast(node)
            mypys = Span(*_counted(_start(node), lines), *_counted(_end(node), lines))
            if mypys != span:
                spans[mypys] = span
    return spans


def _of_ast(node: ast.expr) -> Span:
    return Span(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)


def _start(node: ast.expr) -> Position:
    while isinstance(node, ast.BinOp):
        node = node.left
    return node.lineno, node.col_offset


def _end(node: ast.expr) -> Position:
    while isinstance(node, ast.BinOp):
        node = node.right
    return node.end_lineno or 0, node.end_col_offset or 0


def _counted(position: Position, lines: list[str] | None) -> Position:
    """A position in characters."""
    line, column = position
    if lines is None or line > len(lines):
        return position
    return line, len(lines[line - 1].encode()[:column].decode(errors="replace"))
