"""The comments of a file that tell mypy to ignore errors."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.sources import read

IGNORE = re.compile(r"#\s*type:\s*ignore\s*(?:\[([^\]]*)\])?\s*(?:#|$)")
#: Comments for a whole module, with the codes that they are for where they name some.
WHOLE = re.compile(r"#\s*mypy:\s*(ignore-errors\b(?!\s*=\s*[Ff]alse)|disable-error-code\s*=\s*(.*))")


class Ignored:
    """Which errors of a file are ignored: those of certain codes at some lines, or in the whole file."""

    def __init__(self, file: Path) -> None:
        self._codes: dict[int, set[str]] = {}
        self._whole: list[set[str]] = []
        self._starts: dict[int, int] = {}
        try:
            text, tree = read(file)
            self._read(text, tree)
        except (CommandError, tokenize.TokenError, SyntaxError):  # then nothing is evaluated either
            pass

    def by(self, line: int, code: str) -> int | None:
        """The line whose comment ignores an error: its own, or the first of its statement; 0 for the whole file's."""
        if any(not codes or code in codes for codes in self._whole):
            return 0
        at = (line, self._starts.get(line, line))
        fits = (number for number in at if number in self._codes)
        return next(
            (number for number in fits if not self._codes[number] or code in self._codes[number]), None
        )

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
            if ignore := IGNORE.match(token.string):
                codes = _codes(ignore[1])
                self._codes[token.start[0]] = codes
                if token.start[0] < first:
                    self._whole.append(codes)
            elif whole := WHOLE.match(token.string):
                self._whole.append(_codes(whole[2]))


def _codes(text: str | None) -> set[str]:
    """The error codes that a comment names; none for all."""
    return set(re.findall(r"[\w-]+", text or ""))
