"""Reads the programs of `cases/`, with the marks of their lines and their directives."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from .marks import CLIENTS, ErrorMark, MarkError, PlaceMark, clients_of, marks_of

FOLDER = Path(__file__).with_name("cases")
SECTION = re.compile(r"# %%(.*)")
DIRECTIVE = re.compile(r"# (only|argv|unknown): (.*)|# (one python)")
#: What somebody meant as a directive: a word with a colon, in the lines where they stand.
LIKE_A_DIRECTIVE = re.compile(r"#\s*[a-z]+:|#\s*one python|#(?:only|argv|unknown)")
#: What a program is run with that says nothing of it.
ARGUMENTS = ("3",)
#: An empty module: programs that import it are evaluated in one go.
TOGETHER = "together"


class Directives(NamedTuple):
    """What is said of a whole program."""

    only: frozenset[str] = frozenset(CLIENTS)
    argv: tuple[tuple[str, ...], ...] = ()
    unknown: tuple[str, ...] = ()
    one_python: bool = False


class Case(NamedTuple):
    """A program; its lines are those that it has in its file, and what is missing there is empty."""

    file: str
    name: str
    lines: tuple[str, ...]
    first: int
    directives: Directives
    places: tuple[PlaceMark, ...]
    errors: tuple[ErrorMark, ...]

    @property
    def id(self) -> str:
        """What the case is called."""
        return f"{self.file}: {self.name}"

    @property
    def module(self) -> str:
        """The name of its module."""
        return re.sub(r"\W+", "_", f"{self.file}__{self.name}__{self.first}")

    @property
    def text(self) -> str:
        """The program."""
        return "\n".join(self.lines) + "\n"

    @property
    def text_together(self) -> str:
        """The program, as one of those that are evaluated in one go: the line of its name imports a module."""
        lines = [*self.lines]
        lines[self.first - 1] = f"import {TOGETHER}"
        return "\n".join(lines) + "\n"


def read(file: str, text: str) -> list[Case]:
    """The cases of a file.

    Raises:
        MarkError: a mark or a directive means nothing, or a name is there twice.
    """
    lines = text.splitlines()
    starts = [number for number, line in enumerate(lines, 1) if SECTION.match(line)]
    if not starts:
        raise MarkError(f"{file}: there is no program; one begins with `# %% name`")
    head = lines[: starts[0] - 1]
    of_file = _directives(file, head, 1, Directives())
    cases = [
        _case(file, lines, len(head), start, end, of_file)
        for start, end in zip(starts, [*starts[1:], len(lines) + 1], strict=True)
    ]
    for name, count in Counter(case.name for case in cases).items():
        if count > 1:
            raise MarkError(f"{file}: {count} programs are called {name!r}")
    return cases


def _case(file: str, lines: Sequence[str], head: int, start: int, end: int, of_file: Directives) -> Case:
    """The case that begins in a line; `end` is that of the next one."""
    match = SECTION.match(lines[start - 1])
    name = match[1].strip() if match else ""
    if not name:
        raise MarkError(f"{file}:{start}: the program has no name; it begins with `# %% name`")
    own = range(start, end - 1)
    of_section = [lines[i] for i in own]
    comments = next((i for i, line in enumerate(of_section) if not line.startswith("#")), len(of_section))
    for offset, line in enumerate(of_section[:comments]):
        if LIKE_A_DIRECTIVE.match(line) and not DIRECTIVE.match(line):
            raise MarkError(f"{file}:{start + 1 + offset}: {line!r} is no directive")
    directives = _directives(file, of_section[:comments], start + 1, of_file)
    kept = {*range(head), *own}
    program = tuple(lines[i] if i in kept else "" for i in range(end - 1))
    marks = [marks_of(file, number, line) for number, line in enumerate(program, 1)]
    places = tuple(mark for of_places, _ in marks for mark in of_places)
    errors = tuple(mark for _, of_errors in marks for mark in of_errors)
    return Case(file, name, program, start, directives, places, errors)


def _directives(file: str, lines: Iterable[str], first: int, before: Directives) -> Directives:
    """The directives in some lines, besides those that hold for the file."""
    argv: list[tuple[str, ...]] = []
    unknown: list[str] = []
    for number, line in enumerate(lines, first):
        match = DIRECTIVE.fullmatch(line)
        if match is None:
            continue
        if match[3]:
            before = before._replace(one_python=True)
        elif match[1] == "argv":
            argv.append(tuple(match[2].split()))
        elif match[1] == "unknown":
            unknown.append(match[2])
        else:
            clients, dash, reason = match[2].partition(" - ")
            if not (dash and reason.strip()):
                raise MarkError(f"{file}:{number}: say why: `# only: engine, true - reason`")
            try:
                before = before._replace(only=clients_of(clients))
            except MarkError as error:
                raise MarkError(f"{file}:{number}: {error}") from None
    return before._replace(argv=(*argv,) or before.argv, unknown=(*unknown,) or before.unknown)


def _all() -> Iterator[Case]:
    for file in sorted(FOLDER.glob("*.py")):
        yield from read(file.stem, file.read_text(encoding="utf-8"))


CASES = tuple(_all())


def of(client: str) -> list[Case]:
    """The cases that a client is asked about."""
    return [case for case in CASES if client in case.directives.only]


def parameters(client: str) -> list[Any]:
    """The same as parameters of a test."""
    cases = [case for case in CASES if client in case.directives.only]
    return [
        pytest.param(case, id=case.id, marks=[pytest.mark.one_python] * case.directives.one_python)
        for case in cases
    ]


def write(folder: Path, cases: Iterable[Case], *, together: bool = False) -> dict[str, Path]:
    """Write programs into a folder, each as a module of its own; their files by the names of the cases."""
    files: dict[str, Path] = {}
    for case in cases:
        files[case.id] = file = folder / f"{case.module}.py"
        file.write_text(case.text_together if together else case.text, encoding="utf-8")
    if together:
        (folder / f"{TOGETHER}.py").write_text("", encoding="utf-8")
    return files
