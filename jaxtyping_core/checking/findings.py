"""What the evaluation of programs finds, as it is reported: where no comment ignores it, one finding for each line."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from jaxtyping_core.checking.formats import Diagnostic
from jaxtyping_core.checking.ignoring import Ignored
from jaxtyping_core.evaluation.protocol import CODES
from jaxtyping_core.programs.report import Refusal, Report
from jaxtyping_core.programs.sources import Program
from jaxtyping_core.showing.listing import origin, trail


def findings(report: Report, programs: Sequence[Program]) -> list[Refusal]:
    """What is refused in the files of `programs`, in the order of files and lines.

    Of several refusals in one line that no comment ignores, the first one is reported.

    Args:
        report: what the evaluation says, perhaps also of scripts that call the programs.
        programs: those that were asked about.
    """
    own = {Path(module.path).resolve() for program in programs for module in program.modules.values()}
    files = {refusal.file: Path(refusal.file).resolve() for refusal in report.refusals}
    ignored = {path: Ignored(path) for path in {*files.values()} & own}
    taken: dict[tuple[Path, int], Refusal] = {}
    for refusal in report.refusals:
        path = files[refusal.file]
        if path in own and ignored[path].by(refusal.line, CODES[refusal.kind]) is None:
            taken.setdefault((path, refusal.line), refusal)
    return [taken[place] for place in sorted(taken)]


def told(refusal: Refusal) -> Diagnostic:
    """A finding as a record. Columns count as those of `ast` do, but from 1."""
    return Diagnostic(
        file=shown_file(refusal.file),
        line=refusal.line,
        column=refusal.column + 1,
        end_line=refusal.end_line or refusal.line,
        end_column=refusal.end_column or refusal.column + 1,
        severity="error",
        code=CODES[refusal.kind],
        message=" ".join(refusal.message.split()),
        hint="\n".join(_hints(refusal)) or None,
    )


class Note(NamedTuple):
    """A line of text about a finding; its own place, ``file:line``, or "" for that of the finding."""

    place: str
    text: str


def notes(refusal: Refusal) -> Iterator[Note]:
    """Where the arrays of a finding come from, and the calls that lead to it, the last one first."""
    for each in refusal.origins:
        yield Note(f"{shown_file(each.file)}:{each.line}", f"{each.name}: {each.value} is assigned here")
    for step in reversed(refusal.trail):
        yield Note("", trail(step))


def shown_file(file: str) -> str:
    """A file as messages write it: from the current folder if it is in there."""
    path = os.path.abspath(file)  # noqa: PTH100 - links keep their names
    inside = (each for each in (path, os.path.realpath(file)) if Path(each).is_relative_to(Path.cwd()))
    return next(map(os.path.relpath, inside), path)


def _hints(refusal: Refusal) -> Iterator[str]:
    """The notes, each in one line with its place."""
    yield from map(origin, refusal.origins)
    yield from map(trail, reversed(refusal.trail))
