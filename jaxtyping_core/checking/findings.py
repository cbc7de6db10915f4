"""What the evaluation of programs finds, as it is reported: where no comment ignores it, each code once at each place."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from jaxtyping_core.checking.formats import Diagnostic, Related
from jaxtyping_core.checking.ignoring import Ignored
from jaxtyping_core.evaluation.protocol import CODES
from jaxtyping_core.programs.notebooks import place, refusal_by_cell
from jaxtyping_core.programs.report import Origin, Refusal, Report
from jaxtyping_core.programs.sources import Program
from jaxtyping_core.severities import UNUSED, Severities, graded
from jaxtyping_core.showing.listing import origin, trail

#: What is said of a comment that ignores nothing.
IDLE = "the comment silences no error{codes}; remove {what}"


class Ignores(dict[Path, Ignored]):
    """The comments of files, each read when it is asked for."""

    def __missing__(self, path: Path) -> Ignored:
        self[path] = ignored = Ignored(path)
        return ignored


class Note(NamedTuple):
    """A line of text about a finding; its own place, ``file:line``, or "" for that of the finding."""

    place: str
    text: str


class Finding(NamedTuple):
    """What is reported, with its notes."""

    record: Diagnostic
    notes: tuple[Note, ...] = ()


def findings(
    report: Report, programs: Sequence[Program], severities: Severities, ignores: Ignores | None = None
) -> list[Refusal]:
    """What is refused in the files of `programs` and no comment ignores, as `distinct` leaves it.

    Args:
        report: what the evaluation says, perhaps also of scripts that call the programs.
        programs: those that were asked about.
        severities: how grave each code is.
        ignores: the comments of files, which learn what they ignore.
    """
    own = files_of(programs)
    # What is switched off is asked about too: its comments are in use.
    kept = [refusal for path, refusal in unsilenced(report.refusals, ignores) if path in own]
    return distinct(graded(kept, severities))


def distinct(refusals: Iterable[Refusal]) -> list[Refusal]:
    """Refusals in the order of files, lines and columns, of the same ones the first.

    Two are the same if they have one code and one place, since other calls are refused in other words, or if one line has them in
    the same words.
    """
    at_places: dict[tuple[Path, int, int, str], Refusal] = {}
    for refusal in refusals:
        place = (Path(refusal.file).resolve(), refusal.line, refusal.column)
        at_places.setdefault((*place, CODES[refusal.kind]), refusal)
    of_lines: dict[tuple[Path, int, str, str], Refusal] = {}
    for (path, line, _, code), refusal in sorted(at_places.items(), key=lambda item: item[0][:3]):
        of_lines.setdefault((path, line, code, refusal.message), refusal)
    return [*of_lines.values()]


def files_of(programs: Sequence[Program]) -> set[Path]:
    """The files of programs."""
    return {Path(module.path).resolve() for program in programs for module in program.modules.values()}


def unsilenced(refusals: Iterable[Refusal], ignores: Ignores | None = None) -> list[tuple[Path, Refusal]]:
    """What no comment ignores, each with its file."""
    ignores = Ignores() if ignores is None else ignores
    placed = [(Path(refusal.file).resolve(), refusal) for refusal in refusals]
    return [
        (path, refusal)
        for path, refusal in placed
        if ignores[path].by(refusal.line, CODES[refusal.kind]) is None
    ]


def idle_comments(files: Iterable[Path], ignores: Ignores, severity: str) -> Iterator[Diagnostic]:
    """The comments of files that ignore nothing, after all refusals were asked about."""
    for file in files:
        for number, column, codes in ignores[file.resolve()].unused():
            name, line = place(str(file), number)
            yield Diagnostic(
                file=shown_file(name),
                line=line,
                column=column + 1,
                end_line=line,
                end_column=column + 1,
                severity=severity,
                code=UNUSED,
                message=IDLE.format(
                    codes=f" with the code {codes}" if codes else "", what="the code" if codes else "it"
                ),
                hint=None,
            )


def finding(refusal: Refusal) -> Finding:
    """A refusal as it is reported: in a notebook, with the cell that it is in."""
    refusal = refusal_by_cell(refusal)
    return Finding(told(refusal), tuple(notes(refusal)))


def told(refusal: Refusal) -> Diagnostic:
    """A finding as a record. Columns count as those of `ast` do, but from 1."""
    return Diagnostic(
        file=shown_file(refusal.file),
        line=refusal.line,
        column=refusal.column + 1,
        end_line=refusal.end_line or refusal.line,
        end_column=refusal.end_column or refusal.column + 1,
        severity=refusal.severity,
        code=CODES[refusal.kind],
        message=" ".join(refusal.message.split()),
        hint="\n".join(_hints(refusal)) or None,
        related=tuple(_related(refusal)),
    )


def notes(refusal: Refusal) -> Iterator[Note]:
    """What a finding comes from, and the calls that lead to it, the last one first."""
    for each in map(_of_origin, refusal.origins):
        yield Note(f"{each.file}:{each.line}", each.text)
    for step in reversed(refusal.trail):
        yield Note("", trail(step))


def _related(refusal: Refusal) -> Iterator[Related]:
    """What a finding comes from, and the calls that lead to it, each as what is said of its line."""
    yield from map(_of_origin, refusal.origins)
    for step in reversed(refusal.trail):
        if step.file:  # what no statement of the program calls comes from nowhere
            how = f"called here with {step.arguments}" if step.arguments else "called here"
            yield Related(shown_file(step.file), step.line, how)


def _of_origin(made: Origin) -> Related:
    return Related(shown_file(made.file), made.line, f"{made.what} is {made.how} here")


def shown_file(file: str) -> str:
    """A file as messages write it: from the current folder if it is in there."""
    path = os.path.abspath(file)  # noqa: PTH100 - links keep their names
    inside = (each for each in (path, os.path.realpath(file)) if Path(each).is_relative_to(Path.cwd()))
    return next(map(os.path.relpath, inside), path)


def _hints(refusal: Refusal) -> Iterator[str]:
    """The notes, each in one line with its place."""
    yield from map(origin, refusal.origins)
    yield from map(trail, reversed(refusal.trail))
