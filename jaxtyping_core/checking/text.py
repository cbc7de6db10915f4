"""mypy's text, with arrays in the short spelling."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from typing import TextIO

from jaxtyping_core.checking.output import Output
from jaxtyping_core.checking.short import shorten

MESSAGE = re.compile(r"(.+?: (?:error|note): )(.*)")
CODE = re.compile(r"  \[[\w-]+\]$")
#: What mypy puts before a line of the program, and before the line below that marks a part of it.
INDENT = "    "
MARK = re.compile(INDENT + r" *\^~*")
#: What a terminal takes for a colour or a style.
ESCAPE = re.compile(r"\x1b\[[0-9;:]*[A-Za-z]|\x1b\([A-Z0-9]|\x0f")
#: With --pretty mypy wraps messages and cuts lines of the program, which must wait for the short spelling.
UNBROKEN = {"MYPY_FORCE_TERMINAL_WIDTH": "1000000"}


class Text(Output):
    """Shows mypy's messages with its colours and line breaks, and with arrays in the short spelling."""

    environment = UNBROKEN
    stdout = subprocess.PIPE

    def __init__(self, out: TextIO, err: TextIO) -> None:
        from mypy.util import FancyFormatter

        self._formatter = FancyFormatter(out, err, False)

    def show(self, lines: Iterable[str], stream: TextIO) -> None:
        """Show messages as they come."""
        for group in _groups(lines):
            for text in self._rewrite(group):
                print(text, file=stream, flush=True)

    def _rewrite(self, group: list[str]) -> list[str]:
        """A message, and the lines of the program below it."""
        plain = list(map(_plain, group))
        message = MESSAGE.fullmatch(plain[0])
        if not message:
            return group
        colored = plain != group
        plain[0] = message[1] + shorten(message[2])
        if len(plain) == 3 and MARK.fullmatch(plain[2]):
            plain = self._formatter.fit_in_terminal(plain)
        if not colored:
            return plain
        self._formatter.hide_error_codes = not CODE.search(message[2])
        return list(map(self._formatter.colorize, plain))


def _plain(line: str) -> str:
    return ESCAPE.sub("", line)


def _groups(lines: Iterable[str]) -> Iterator[list[str]]:
    """Each message with the indented lines below it."""
    group: list[str] = []
    for line in lines:
        if group and not _plain(line).startswith(INDENT):
            yield group
            group = []
        group.append(line)
    if group:
        yield group
