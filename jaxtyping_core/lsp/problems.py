"""The diagnostics of a file: the messages of ``jaxtyping-core check``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from jaxtyping_core.checking.adding import Errors
from jaxtyping_core.checking.formats import Diagnostic, read
from jaxtyping_core.checking.refused import reported
from jaxtyping_core.checking.short import shorten
from jaxtyping_core.dtypes import DTYPES, WEAK
from jaxtyping_core.evaluation.protocol import CODES, OWN_CODES
from jaxtyping_core.lsp.builds import Checked
from jaxtyping_core.lsp.records import Problem, Related, Span
from jaxtyping_core.lsp.source import Source
from jaxtyping_core.programs.report import Refusal, Report
from jaxtyping_core.programs.sources import Program

#: How a message shows that it is about arrays: it spells one, in one of the forms.
ARRAYS = re.compile(
    r"\b(?:{})\[|\bArray\b|key<".format(
        "|".join(
            [*DTYPES, *WEAK, *(row.alias for row in DTYPES.values()), "Float", "Int", "UInt", "Shaped", "Num"]
        )
    )
)


def problems_of(
    source: Source, file: Path, checked: Checked, evaluated: Report, programs: Sequence[Program]
) -> Iterator[Problem]:
    """What ``check`` says of a file."""
    errors = Errors()
    lines = [*errors.watch(checked.lines)]
    built, own = checked.built, file.resolve()
    related: dict[int, list[Related]] = {}
    if built is not None:
        refused = reported(evaluated, built.sources, programs, built.options)
        lines += errors.rest(refused)
        # Of several in a line one is reported.
        related = {
            each.line: [*_related(each)] for each in refused.refusals if Path(each.file).resolve() == own
        }
    for line in lines:
        diagnostic = read(line, shorten)
        if diagnostic and diagnostic.line and Path(diagnostic.file).resolve() == own:
            # Of several errors in a line one is reported, with its notes, which none of mypy's own has.
            is_refused = diagnostic.code in CODES.values() and diagnostic.hint is not None
            calls = related.get(diagnostic.line) if is_refused else None
            yield _problem(source, diagnostic, calls or (), calls is not None)


def _related(refusal: Refusal) -> Iterator[Related]:
    """Where the arrays of an error are made, and the calls that lead to it."""
    for made in refusal.origins:
        yield Related(
            str(Path(made.file).resolve()), made.line - 1, f"{made.name}: {made.value} is assigned here"
        )
    for step in reversed(refusal.trail):
        told = f"called here with {step.arguments}" if step.arguments else "called here"
        yield Related(str(Path(step.file).resolve()), step.line - 1, told)


def _problem(source: Source, diagnostic: Diagnostic, related: Iterable[Related], is_refused: bool) -> Problem:
    message = "\n".join(filter(None, (diagnostic.message, diagnostic.hint)))
    ours = is_refused or diagnostic.code in OWN_CODES
    return Problem(
        _span(source, diagnostic),
        diagnostic.severity,
        diagnostic.code,
        message,
        ours or bool(ARRAYS.search(message)),
        tuple(related),
    )


def _span(source: Source, diagnostic: Diagnostic) -> Span:
    """Where a diagnostic is: to its end, where that is known, or to the end of the line."""
    assert diagnostic.line is not None
    line = min(diagnostic.line, len(source.lines)) - 1
    text = source.lines[line]
    whole = Span(line, len(text) - len(text.lstrip()), line, len(text))
    if diagnostic.column is None:
        return whole
    start = diagnostic.column - 1
    last = (diagnostic.end_line or diagnostic.line) - 1
    end = diagnostic.end_column
    if end is None or last >= len(source.lines):
        return whole if not text.isascii() else Span(line, start, line, len(text))
    if text.isascii() and source.lines[last].isascii():
        return Span(line, start, last, end)
    return _of_a_part(source, Span(line, start, last, end)) or whole


def _of_a_part(source: Source, span: Span) -> Span | None:
    """A span as mypy writes it in lines that are not ASCII: of the part of the program that it can only mean.

    By its version mypy counts characters or bytes, or takes the one for the other.
    """
    first, last = source.lines[span.line], source.lines[span.end_line]
    readings = (
        span,
        Span(
            span.line,
            source.column(span.line, span.column),
            span.end_line,
            source.column(span.end_line, span.end_column),
        ),
        Span(
            span.line,
            len(first[: span.column].encode()),
            span.end_line,
            len(last[: span.end_column].encode()),
        ),
    )
    parts = {source.span(node) for node in source.nodes if isinstance(node, (ast.expr, ast.stmt))}
    meant = {reading for reading in readings if reading in parts}
    return meant.pop() if len(meant) == 1 else None
