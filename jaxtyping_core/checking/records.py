"""Prints messages in one of the formats for programs, also those that mypy reports."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import TextIO

from jaxtyping_core.checking.documents import DOCUMENTS, STATISTICS, statistics
from jaxtyping_core.checking.formats import LINES, TEXT, Diagnostic
from jaxtyping_core.checking.output import Output
from jaxtyping_core.errors import CommandError
from jaxtyping_core.severities import INFO

#: Options that make mypy write its messages as JSON, one in a line, and nothing else.
OPTIONS = (
    "--output=json",
    *("--no-pretty", "--no-color-output", "--no-error-summary", "--hide-error-context"),
)
COLORLESS = {"MYPY_FORCE_COLOR": "0"}
#: The formats for programs.
FORMATS = (*LINES, *DOCUMENTS)


def require_format(form: str, formats: Sequence[str] = (TEXT, *FORMATS)) -> None:
    """Accept the name of a format.

    Raises:
        CommandError: there is no such format.
    """
    if form not in formats:
        *names, last = formats
        raise CommandError(f"unknown format {form!r}; expected {', '.join(names)} or {last}")


class Printer:
    """Prints messages as they come, or all of them in the end where the format is one document."""

    def __init__(self, form: str) -> None:
        self._whole = {**DOCUMENTS, STATISTICS: statistics}.get(form)
        self._form = form
        self._kept: list[Diagnostic] = []

    def print(self, diagnostic: Diagnostic) -> None:
        """Print a message, or keep it for the document."""
        if self._whole:
            self._kept.append(diagnostic)
            return
        for line in LINES[self._form](diagnostic):
            print(line, flush=True)

    def finish(self) -> None:
        """Print what is left to print."""
        if self._whole:
            print(self._whole(self._kept))


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


class Records(Output):
    """Shows mypy's messages in one of the formats; the rest of mypy's output goes to standard error."""

    options = OPTIONS
    environment = COLORLESS
    stdout = subprocess.PIPE

    def __init__(self, form: str, spell: Callable[[str], str]) -> None:
        self._printer, self._spell = Printer(form), spell
        self._severities: set[str] = set()
        self._crashed = False

    def show(self, lines: Iterable[str], stream: TextIO) -> None:
        """Show lines of mypy's as they come, whichever stream they come from."""
        for line in lines:
            diagnostic = read(line, self._spell)
            if diagnostic:
                self._severities.add(diagnostic.severity)
                self._printer.print(diagnostic)
            elif line:  # mypy ends a clean run with an empty one
                self._crashed |= line.startswith("Traceback ")
                print(line, file=sys.stderr)

    def finish(self) -> None:
        """Print a document; a part of mypy's messages came with its standard error."""
        self._printer.finish()

    def status(self, status: int) -> int:
        """The exit status; mypy's own is 1 for JSON with notes alone, and 0 for the same as text."""
        clean = self._severities <= {"note", INFO} and self._severities and not self._crashed
        return 0 if status == 1 and clean else status
