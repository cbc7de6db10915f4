"""The comments of a file that say which errors are not reported: those of mypy, and ``# jaxtyping: ignore``."""

from __future__ import annotations

import ast
import re
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from jaxtyping_core.checking.comments import Comments
from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation.protocol import CODES as KINDS
from jaxtyping_core.programs.sources import read

CODES = r"ignore\s*(?:\[([^\]]*)\])?\s*(?:#|$)"
#: What a text has that has a comment of ours.
MARK = "jaxtyping:"
#: For mypy, this comment is the first one of its line. Ours may follow another.
OURS = re.compile(rf"#\s*jaxtyping:\s*{CODES}")
IGNORES = (re.compile(rf"^#\s*type:\s*{CODES}"), OURS)
#: The codes of which it is known whether a comment is needed.
KNOWN = {*KINDS.values()}
#: Comments for a whole module, with the codes that they are for where they name some.
WHOLE = re.compile(r"#\s*mypy:\s*(ignore-errors\b(?!\s*=\s*[Ff]alse)|disable-error-code\s*=\s*(.*))")


class Ignored:
    """Which errors of a file are ignored: those of certain codes at some lines, or in the whole file."""

    def __init__(self, file: Path, text: str | None = None) -> None:
        """Read the comments of a file, or of a text that it is to have."""
        #: The codes that the comment of a line names; None for all.
        self._codes: dict[int, set[str] | None] = {}
        #: Those of the comments that only we know, and which of them ignored something.
        self._ours: dict[int, set[str] | None] = {}
        self._used: dict[int, set[str]] = defaultdict(set)
        self._whole: list[tuple[int, set[str] | None]] = []
        self._starts: dict[int, int] = {}
        self._comments = Comments("")
        try:
            held, tree = read(file) if text is None else (text, ast.parse(text))
            self._read(held, tree)
        except (CommandError, tokenize.TokenError, SyntaxError):  # then nothing is evaluated either
            pass

    def by(self, line: int, code: str) -> int | None:
        """The line whose comment ignores an error: its own, or the first of its statement; 0 for the whole file's."""
        for number, codes in self._whole:
            if _names(codes, code):
                self._used[number].add(code)
                return 0
        for number in self._places(line):
            if number in self._codes and _names(self._codes[number], code):
                self._used[number].add(code)
                return number
        return None

    def is_ours(self, line: int) -> bool:
        """Whether the comment of a line is one that mypy does not know."""
        return line in self._ours

    def unused(self) -> Iterator[tuple[int, int, str]]:
        """The comments that only we know and that ignored nothing so far: the line, the column, and the codes.

        Of several codes, those that ignored nothing; of codes that are not ours, nobody knows.
        """
        for line, codes in self._ours.items():
            used = self._used[line]
            idle = set() if codes is None else (codes & KNOWN) - used
            if idle or (codes is None and not used):
                yield line, self._comments.tokens[line].start[1], ", ".join(sorted(idle))

    def _places(self, line: int) -> Iterator[int]:
        """The lines at which a comment ignores the errors of a line."""
        for number in (line, self._starts.get(line, line)):
            yield number
            yield self._comments.row(number)

    def _read(self, text: str, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt) and not hasattr(node, "body"):
                self._starts |= dict.fromkeys(
                    range(node.lineno, (node.end_lineno or node.lineno) + 1), node.lineno
                )
        first = min(map(_first_line, tree.body), default=0)
        self._comments = Comments(text)
        for line, token in self._comments.tokens.items():
            of_mypy, ours = (form.search(token.string) for form in IGNORES)
            if listed := [codes_in(match[1]) for match in (of_mypy, ours) if match]:
                self._codes[line] = _joined(listed)
                if ours and not of_mypy:
                    self._ours[line] = codes_in(ours[1])
                if line < first:
                    self._whole.append((line, self._codes[line]))
            elif whole := WHOLE.match(token.string):
                self._whole.append((line, codes_in(whole[2])))


def _first_line(node: ast.stmt) -> int:
    """The line that a statement begins with, which may be that of a decorator."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(decorator.lineno for decorator in decorators)])


def codes_in(text: str | None) -> set[str] | None:
    """The error codes that a comment names; None for all."""
    return set(re.findall(r"[\w-]+", text or "")) or None


def _joined(listed: list[set[str] | None]) -> set[str] | None:
    """The codes of several comments together."""
    named = [codes for codes in listed if codes is not None]
    return {code for codes in named for code in codes} if len(named) == len(listed) else None


def _names(codes: set[str] | None, code: str) -> bool:
    return codes is None or code in codes
