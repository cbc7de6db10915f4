"""Messages for programs to read: one line or one object for each."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from jaxtyping_core.programs.notebooks import file_of

#: The format for people, which has no records.
TEXT = "text"


#: The folders that CI systems check a repository out into: paths are relative to it, wherever the command runs.
WORKSPACES = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


class Related(NamedTuple):
    """What is said of another line that a finding has to do with."""

    file: str
    line: int
    text: str


class Diagnostic(NamedTuple):
    """A finding or a note. Lines and columns count from 1; the end is the last character; None is unknown."""

    file: str
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    severity: str
    code: str | None
    message: str
    #: mypy's notes about the error, each a line.
    hint: str | None
    #: The lines that the hint names, for formats that have places for them.
    related: tuple[Related, ...] = ()

    @property
    def whole(self) -> str:
        """The message with its notes; in a notebook, which is one file for other programs, with its place."""
        cell = self.file.removeprefix(f"{file_of(self.file)}:")
        place = "" if cell == self.file else f"{cell}, line {self.line}: "
        return "\n".join(filter(None, (f"{place}{self.message}", self.hint)))


def concise(diagnostic: Diagnostic) -> Iterator[str]:
    """``file:line:column: error: message [code]``, and a line for each of the notes."""
    numbers = (number for number in (diagnostic.line, diagnostic.column) if number is not None)
    place = ":".join([diagnostic.file, *map(str, numbers)])
    code = f" [{diagnostic.code}]" if diagnostic.code and diagnostic.severity != "note" else ""
    # What a library says of a deprecation may have several lines.
    message = " ".join(diagnostic.message.splitlines())
    yield f"{place}: {diagnostic.severity}: {message}{code}"
    for note in (diagnostic.hint or "").splitlines():
        yield f"{place}: note: {note}"


def as_json(diagnostic: Diagnostic) -> Iterator[str]:
    """One object in one line."""
    record = diagnostic._asdict()
    del record["related"]  # which the hint has in words
    yield json.dumps(record)


def github(diagnostic: Diagnostic) -> Iterator[str]:
    """A workflow command, for which GitHub shows the message at its lines of a pull request."""
    same_line = diagnostic.end_line in (None, diagnostic.line)  # GitHub takes columns of one line only
    properties = {
        "file": in_workspace(diagnostic.file),
        "line": diagnostic.line,
        "col": diagnostic.column if same_line else None,
        "endLine": diagnostic.end_line,
        "endColumn": diagnostic.end_column if same_line else None,
        "title": diagnostic.code,
    }
    listed = ",".join(f"{key}={_escape(str(value), ':,')}" for key, value in properties.items() if value)
    command = diagnostic.severity if diagnostic.severity in ("error", "warning") else "notice"
    yield f"::{command} {listed}::{_escape(diagnostic.whole)}"


def _escape(text: str, separators: str = "") -> str:
    """Text in a workflow command; a property also has its separators to escape."""
    for character in "%\r\n" + separators:  # the percent sign first: it stands in what the others become
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def in_workspace(file: str) -> str:
    """The path of a file in the repository, or as messages have it where no repository is known; of a cell, its notebook."""
    file = file_of(file)
    path = Path(file).absolute()
    for workspace in filter(None, map(os.environ.get, WORKSPACES)):
        if path.is_relative_to(workspace):
            return path.relative_to(workspace).as_posix()
    return Path(file).as_posix()


#: The formats that have lines for each message.
LINES: Mapping[str, Callable[[Diagnostic], Iterator[str]]] = {
    "concise": concise,
    "json": as_json,
    "github": github,
}
