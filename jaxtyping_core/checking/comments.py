"""The comments of a text, and where a comment about a line can stand: not after a backslash, and not within a string."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator

#: The tokens that begin and end a string with parts that are evaluated, in the versions of Python that have them.
BEGINNING, ENDING = (
    {getattr(tokenize, f"{kind}STRING_{end}") for kind in "FT" if hasattr(tokenize, f"{kind}STRING_{end}")}
    for end in ("START", "END")
)


class Comments:
    """The comments of a text by their lines, and for each line the one that a comment about it can be in.

    Raises:
        tokenize.TokenError, SyntaxError: the text is not valid Python.
    """

    def __init__(self, text: str) -> None:
        tokens = [*tokenize.generate_tokens(io.StringIO(text).readline)]
        self.tokens = {token.start[0]: token for token in tokens if token.type == tokenize.COMMENT}
        self._next: dict[int, int] = {}
        for number, line in enumerate(text.split("\n"), 1):
            if line.endswith("\\") and number not in self.tokens:
                self._next[number] = number + 1
        for first, last in _strings(tokens):
            self._next |= dict.fromkeys(range(first, last), last)

    def row(self, line: int) -> int:
        """The line at whose end a comment about a line can stand."""
        while line in self._next:
            line = self._next[line]
        return line


def _strings(tokens: list[tokenize.TokenInfo]) -> Iterator[tuple[int, int]]:
    """The first and the last line of each string."""
    begun: list[int] = []
    for token in tokens:
        if token.type in BEGINNING:
            begun.append(token.start[0])
        elif token.type in ENDING:
            yield begun.pop(), token.end[0]
        elif token.type == tokenize.STRING:
            yield token.start[0], token.end[0]
