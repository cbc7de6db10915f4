"""The diagnostics of a file: what ``jaxtyping-core check`` reports, or why the text is no Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

from jaxtyping_core.checking.findings import findings, told
from jaxtyping_core.checking.targets import SYNTAX
from jaxtyping_core.lsp.records import Problem, Related, Span
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs.report import Refusal, Report
from jaxtyping_core.programs.sources import Program
from jaxtyping_core.reading import NEWLINE
from jaxtyping_core.severities import Severities


def problems_of(
    source: Source,
    file: Path,
    evaluated: Report,
    programs: Sequence[Program],
    severities: Severities,
) -> Iterator[Problem]:
    """What ``check`` says of a file."""
    own = file.resolve()
    for refusal in findings(evaluated, programs, severities):
        if Path(refusal.file).resolve() == own:
            diagnostic = told(refusal)
            related = tuple(
                Related(str(Path(each.file).resolve()), each.line - 1, each.text)
                for each in diagnostic.related
            )
            yield Problem(
                _span(source, refusal), diagnostic.code or "", diagnostic.whole, related, refusal.severity
            )


def syntax_problem(text: str) -> Problem | None:
    """What Python's parser says of a text; None if it says nothing about a place in it."""
    try:
        ast.parse(text)
    except SyntaxError as error:
        return Problem(_span_of(error, NEWLINE.split(text)), SYNTAX, error.msg) if error.lineno else None
    except (ValueError, RecursionError, MemoryError):
        return None
    return None


def _span_of(error: SyntaxError, lines: Sequence[str]) -> Span:
    """Where an error of the parser is: to its end where that is known, and of one character at least."""
    line = min(max(error.lineno or 1, 1), len(lines)) - 1
    column = min(max(error.offset or 1, 1) - 1, len(lines[line]))
    end_line, end_column = (error.end_lineno or 0) - 1, (error.end_offset or 0) - 1
    is_known = line <= end_line < len(lines) and (end_line, end_column) > (line, column)
    if is_known and end_column <= len(lines[end_line]):
        return Span(line, column, end_line, end_column)
    return Span(line, column, line, max(len(lines[line]), column))


def _span(source: Source, refusal: Refusal) -> Span:
    """Where an error is: to its end, or to the end of the line where that is not known."""
    last = len(source.lines) - 1
    line, end_line = min(max(refusal.line, 1) - 1, last), min(refusal.end_line - 1, last)
    column = source.column(line, refusal.column)
    if end_line < line:
        return Span(line, column, line, len(source.lines[line]))
    return Span(line, column, end_line, source.column(end_line, refusal.end_column))
