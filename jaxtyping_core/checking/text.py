"""mypy's text, with arrays in another spelling."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Iterator
from typing import TextIO

from jaxtyping_core.checking.compact_types import shorten
from jaxtyping_core.checking.messages import ESCAPE, INDENT
from jaxtyping_core.checking.output import Output

MESSAGE = re.compile(r"(.+?: (?:error|note): )(.*)")
CODE = re.compile(r"  \[[\w-]+\]$")
MARK = re.compile(INDENT + r" *\^~*")
#: With --pretty mypy wraps messages and cuts lines of the program, which must wait for the short spelling.
UNBROKEN = {"MYPY_FORCE_TERMINAL_WIDTH": "1000000"}


class Text(Output):
    """Shows mypy's messages with its colours and line breaks, and with arrays in another spelling."""

    environment = UNBROKEN
    stdout = subprocess.PIPE

    def __init__(self, out: TextIO, err: TextIO, spell: Callable[[str], str] = shorten) -> None:
        from mypy.util import FancyFormatter

        self._spell = spell
        self._has_codes = True
        self._formatter = FancyFormatter(out, err, False)

    def hide_codes(self) -> None:
        """Show no codes, which are to be read from mypy's messages all the same."""
        self.options, self._has_codes = ("--show-error-codes",), False

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
        text = message[2] if self._has_codes else CODE.sub("", message[2])
        plain[0] = message[1] + self._spell(text)
        if len(plain) == 3 and MARK.fullmatch(plain[2]):
            plain = self._formatter.fit_in_terminal(plain)
        if not colored:
            return plain
        self._formatter.hide_error_codes = not CODE.search(text)
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
