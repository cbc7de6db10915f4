"""Which errors annotations bring, and which functions are around a line."""

from __future__ import annotations

import ast
import difflib
import re
from collections import Counter
from collections.abc import Iterator, Sequence

from jaxtyping_core.annotating.copies import Error
from jaxtyping_core.programs.syntax import first_line

LINE = re.compile(r"line \d+")


def around(text: bytes, line: int) -> Iterator[tuple[int, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """The functions around a line of a text, outermost first, with their numbers, counted as `Source` does."""
    for number, node in enumerate(_functions(ast.parse(text))):
        if first_line(node) <= line <= (node.end_lineno or node.lineno):
            yield number, node


def new_errors(old: bytes, new: bytes, before: Sequence[Error], after: Sequence[Error]) -> list[Error]:
    """The errors of the new text that the old one does not have at the line that it comes from.

    Of lines that are written anew, the heads of functions, the messages are compared.
    """
    origin = _origins(old, new)
    kept = set(origin.values())
    known: Counter[tuple[int | str, str]] = Counter(
        (error.line, error.code) if error.line in kept else (_without_lines(error), error.code)
        for error in before
    )
    added = []
    for error in after:
        key = (origin.get(error.line) or _without_lines(error), error.code)
        if known[key] > 0:
            known[key] -= 1
        else:
            added.append(error)
    return added


def _without_lines(error: Error) -> str:
    """A message without the numbers of lines in it, which annotations change."""
    return LINE.sub("line", error.message)


def _origins(old: bytes, new: bytes) -> dict[int, int]:
    """The lines of a new text that the old one has as well, with where: both count from 1."""
    matcher = difflib.SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
    return {
        block.b + at + 1: block.a + at + 1
        for block in matcher.get_matching_blocks()
        for at in range(block.size)
    }


def _functions(node: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions of a module from its top, as `Source` counts them."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield child
        yield from _functions(child)
