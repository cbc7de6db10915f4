"""What mypy reports, for programs to read: one line or one object for each message."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TextIO

from jaxtyping_core.checking.output import Output
from jaxtyping_core.errors import CommandError

#: Options that make mypy write its messages as JSON, one in a line, and nothing else.
OPTIONS = (
    "--output=json",
    *("--no-pretty", "--no-color-output", "--no-error-summary", "--hide-error-context"),
)
#: The format for people, which has no records.
TEXT = "text"
COLORLESS = {"MYPY_FORCE_COLOR": "0"}


class Diagnostic(NamedTuple):
    """An error or a note. Lines and columns count from 1; the end is the last character; None is unknown."""

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


def read(line: str, spell: Callable[[str], str]) -> Diagnostic | None:
    """The diagnostic in a line of mypy's JSON; None for anything else that mypy says."""
    try:
        record = json.loads(line)
        hint = record["hint"] and "\n".join(map(spell, record["hint"].split("\n")))
        return Diagnostic(
            file=record["file"],
            line=_known(record["line"]),
            column=_known(record["column"] + 1),  # the only number of mypy's that counts from 0
            end_line=_known(record["end_line"]),
            end_column=_known(record["end_column"]),
            severity=record["severity"],
            code=record["code"],
            message=spell(record["message"]),
            hint=hint,
        )
    except (ValueError, TypeError, KeyError, AttributeError):
        return None


def _known(number: int) -> int | None:
    return number if number > 0 else None


def concise(diagnostic: Diagnostic) -> Iterator[str]:
    """``file:line:column: error: message [code]``, and a line for each of the notes."""
    numbers = (number for number in (diagnostic.line, diagnostic.column) if number is not None)
    place = ":".join([diagnostic.file, *map(str, numbers)])
    code = f" [{diagnostic.code}]" if diagnostic.code and diagnostic.severity == "error" else ""
    # What a library says of a deprecation may have several lines.
    message = " ".join(diagnostic.message.splitlines())
    yield f"{place}: {diagnostic.severity}: {message}{code}"
    for note in (diagnostic.hint or "").splitlines():
        yield f"{place}: note: {note}"


def as_json(diagnostic: Diagnostic) -> Iterator[str]:
    """One object in one line."""
    yield json.dumps(diagnostic._asdict())


def github(diagnostic: Diagnostic) -> Iterator[str]:
    """A workflow command, for which GitHub shows the message at its lines of a pull request."""
    same_line = diagnostic.end_line in (None, diagnostic.line)  # GitHub takes columns of one line only
    properties = {
        "file": _in_workspace(diagnostic.file),
        "line": diagnostic.line,
        "col": diagnostic.column if same_line else None,
        "endLine": diagnostic.end_line,
        "endColumn": diagnostic.end_column if same_line else None,
        "title": diagnostic.code,
    }
    listed = ",".join(f"{key}={_escape(str(value), ':,')}" for key, value in properties.items() if value)
    command = "error" if diagnostic.severity == "error" else "notice"
    text = "\n".join(filter(None, (diagnostic.message, diagnostic.hint)))
    yield f"::{command} {listed}::{_escape(text)}"


def _escape(text: str, separators: str = "") -> str:
    """Text in a workflow command; a property also has its separators to escape."""
    for character in "%\r\n" + separators:  # the percent sign first: it stands in what the others become
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def _in_workspace(file: str) -> str:
    """The path of a file in the repository, which GitHub wants wherever the command runs."""
    workspace = os.environ.get("GITHUB_WORKSPACE")
    path = Path(file).absolute()
    if workspace and path.is_relative_to(workspace):
        return path.relative_to(workspace).as_posix()
    return file


FORMATS: Mapping[str, Callable[[Diagnostic], Iterator[str]]] = {
    "concise": concise,
    "json": as_json,
    "github": github,
}


def require_format(form: str) -> None:
    """Accept the name of a format.

    Raises:
        CommandError: there is no such format.
    """
    if form not in (TEXT, *FORMATS):
        *names, last = (TEXT, *FORMATS)
        raise CommandError(f"unknown format {form!r}; expected {', '.join(names)} or {last}")


class Records(Output):
    """Shows mypy's messages in one of the formats; the rest of mypy's output goes to standard error."""

    options = OPTIONS
    environment = COLORLESS
    stdout = subprocess.PIPE

    def __init__(self, form: str, spell: Callable[[str], str]) -> None:
        self._format, self._spell = FORMATS[form], spell
        self._severities: set[str] = set()
        self._crashed = False

    def show(self, lines: Iterable[str], stream: TextIO) -> None:
        """Show lines of mypy's as they come, whichever stream they come from."""
        for line in lines:
            diagnostic = read(line, self._spell)
            if diagnostic:
                self._severities.add(diagnostic.severity)
                for text in self._format(diagnostic):
                    print(text, flush=True)
            elif line:  # mypy ends a clean run with an empty one
                self._crashed |= line.startswith("Traceback ")
                print(line, file=sys.stderr)

    def status(self, status: int) -> int:
        """The exit status; mypy's own is 1 for JSON with notes alone, and 0 for the same as text."""
        clean = self._severities == {"note"} and not self._crashed
        return 0 if status == 1 and clean else status
