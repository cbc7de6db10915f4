"""Shows mypy's output as it is."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TextIO


def show_every_character(streams: Sequence[TextIO] = ()) -> None:
    """As mypy does: a character that a stream (standard output and error) cannot encode must not end the report."""
    for stream in streams or (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape"):
            stream.reconfigure(errors="backslashreplace")


class Output:
    """Leaves standard output to mypy; other ways to show it are derived from this one."""

    #: Options for mypy, after those of the user.
    options: Sequence[str] = ()
    #: Variables of its environment.
    environment: Mapping[str, str] = {}
    #: Where its standard output goes, as an argument of `subprocess`.
    stdout: int | None = None

    def show(self, lines: Iterable[str], stream: TextIO) -> None:
        """Show what mypy writes to `stream`, as it comes."""
        for line in lines:
            print(line, file=stream, flush=True)

    def finish(self) -> None:
        """Show what can be shown only after all of that."""

    def status(self, status: int) -> int:
        """The exit status; `status` is mypy's."""
        return status

    def hide_codes(self) -> None:
        """Show no codes, which are to be read from mypy's messages all the same; where that is a part of the format."""
