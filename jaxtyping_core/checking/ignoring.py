"""The comments of a file that say which errors are not reported: those of mypy, and ``# jaxtyping: ignore``."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.sources import read

CODES = r"ignore\s*(?:\[([^\]]*)\])?\s*(?:#|$)"
#: For mypy, this comment is the first one of its line. Ours may follow another.
IGNORES = (re.compile(rf"^#\s*type:\s*{CODES}"), re.compile(rf"#\s*jaxtyping:\s*{CODES}"))
#: Comments for a whole module, with the codes that they are for where they name some.
WHOLE = re.compile(r"#\s*mypy:\s*(ignore-errors\b(?!\s*=\s*[Ff]alse)|disable-error-code\s*=\s*(.*))")


class Ignored:
    """Which errors of a file are ignored: those of certain codes at some lines, or in the whole file."""

    def __init__(self, file: Path) -> None:
        #: The codes that the comment of a line names; None for all.
        self._codes: dict[int, set[str] | None] = {}
        self._whole: list[set[str] | None] = []
        self._starts: dict[int, int] = {}
        try:
            text, tree = read(file)
            self._read(text, tree)
        except (CommandError, tokenize.TokenError, SyntaxError):  # then nothing is evaluated either
            pass

    def by(self, line: int, code: str) -> int | None:
        """The line whose comment ignores an error: its own, or the first of its statement; 0 for the whole file's."""
        if any(_names(codes, code) for codes in self._whole):
            return 0
        at = (line, self._starts.get(line, line))
        fits = (number for number in at if number in self._codes)
        return next((number for number in fits if _names(self._codes[number], code)), None)

    def _read(self, text: str, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt) and not hasattr(node, "body"):
                self._starts |= dict.fromkeys(
                    range(node.lineno, (node.end_lineno or node.lineno) + 1), node.lineno
                )
        first = min((node.lineno for node in tree.body), default=0)
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type != tokenize.COMMENT:
                continue
            line, matches = token.start[0], filter(None, (form.search(token.string) for form in IGNORES))
            if listed := [_codes(match[1]) for match in matches]:
                self._codes[line] = _joined(listed)
                if line < first:
                    self._whole.append(self._codes[line])
            elif whole := WHOLE.match(token.string):
                self._whole.append(_codes(whole[2]))


def _codes(text: str | None) -> set[str] | None:
    """The error codes that a comment names; None for all."""
    return set(re.findall(r"[\w-]+", text or "")) or None


def _joined(listed: list[set[str] | None]) -> set[str] | None:
    """The codes of several comments together."""
    named = [codes for codes in listed if codes is not None]
    return {code for codes in named for code in codes} if len(named) == len(listed) else None


def _names(codes: set[str] | None, code: str) -> bool:
    return codes is None or code in codes
