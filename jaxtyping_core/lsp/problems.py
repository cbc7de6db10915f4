"""The diagnostics of a file: the messages of ``jaxtyping-core check``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from jaxtyping_core.checking.adding import Errors
from jaxtyping_core.checking.formats import Diagnostic, read
from jaxtyping_core.checking.refused import CODES, reported
from jaxtyping_core.checking.short import shorten
from jaxtyping_core.dtypes import DTYPES, WEAK
from jaxtyping_core.lsp.builds import Checked
from jaxtyping_core.lsp.records import Problem, Span
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs.report import Report
from jaxtyping_core.programs.sources import Program

#: How a message shows that it is about arrays: it spells one, in one of the forms.
ARRAYS = re.compile(
    r"\b(?:{})\[|\bArray\b|key<".format(
        "|".join(
            [*DTYPES, *WEAK, *(row.alias for row in DTYPES.values()), "Float", "Int", "UInt", "Shaped", "Num"]
        )
    )
)
#: What JAX may refuse, as the syntax has it.
REFUSABLE = (ast.Call, ast.BinOp, ast.Subscript, ast.Compare, ast.UnaryOp, ast.Attribute)


def problems_of(
    source: Source, file: Path, checked: Checked, evaluated: Report, programs: Sequence[Program]
) -> Iterator[Problem]:
    """What ``check`` says of a file."""
    errors = Errors()
    lines = [*errors.watch(checked.lines)]
    if checked.found is not None:
        built = checked.found.built
        lines += errors.rest(reported(evaluated, built.sources, programs, built.options))
    own = file.resolve()
    for line in lines:
        diagnostic = read(line, shorten)
        if diagnostic and diagnostic.line and Path(diagnostic.file).resolve() == own:
            yield _problem(source, diagnostic)


def _problem(source: Source, diagnostic: Diagnostic) -> Problem:
    message = "\n".join(filter(None, (diagnostic.message, diagnostic.hint)))
    ours = diagnostic.code in CODES.values()
    return Problem(
        _span(source, diagnostic),
        diagnostic.severity,
        diagnostic.code,
        message,
        ours or bool(ARRAYS.search(message)),
    )


def _span(source: Source, diagnostic: Diagnostic) -> Span:
    """Where a diagnostic is: to its end, where that is known, or to the end of the line."""
    assert diagnostic.line is not None
    line = min(diagnostic.line, len(source.lines)) - 1
    text = source.lines[line]
    if diagnostic.column is None:
        return Span(line, len(text) - len(text.lstrip()), line, len(text))
    start = source.column(line, diagnostic.column - 1)
    last = (diagnostic.end_line or diagnostic.line) - 1
    if diagnostic.end_column is None or last >= len(source.lines):
        return Span(line, start, line, len(text))
    end = source.column(last, diagnostic.end_column)
    if (last, end) <= (line, start + 1):  # of what evaluation refuses, only where it begins is known
        return _refused(source, line, diagnostic.column - 1) or Span(line, start, line, start + 1)
    return Span(line, start, last, end)


def _refused(source: Source, line: int, offset: int) -> Span | None:
    """The smallest part that begins there and that may be refused."""
    at = [
        node
        for node in ast.walk(source.tree)
        if isinstance(node, REFUSABLE) and (node.lineno, node.col_offset) == (line + 1, offset)
    ]
    spans = sorted(map(source.span, at), key=lambda span: (span.end_line, span.end_column))
    return spans[0] if spans else None
