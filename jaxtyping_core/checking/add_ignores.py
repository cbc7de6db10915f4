"""Adds comments that ignore errors to the text of a file, of which everything else stays as it is."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections import defaultdict
from collections.abc import Iterable, Mapping

from jaxtyping_core.checking.comments import Comments
from jaxtyping_core.checking.ignoring import OURS, codes_in
from jaxtyping_core.errors import CommandError

#: The end of a line. The pattern has a group, so that a split keeps it.
END = re.compile(r"(\r\n|\r|\n)")
BLANK = " \t\f"


def with_ignores(content: bytes, wanted: Mapping[int, Iterable[str]]) -> bytes:
    """The content of a file with a comment for each line that ignores some codes.

    A comment stands at the end of its line, or where the next line can have one: behind a string of several lines, or behind
    the last of lines that a backslash joins. It is merged with the comment that is there.

    Raises:
        CommandError: the content cannot be kept as it is.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    text = content.decode(encoding)
    if text.encode(encoding) != content:
        raise CommandError(f"its encoding, {encoding}, cannot be written as it was")
    lines = END.split(text)
    comments = Comments(END.sub("\n", text))
    of_rows: dict[int, set[str]] = defaultdict(set)
    for line, codes in wanted.items():
        of_rows[comments.row(line)].update(codes)
    for row, codes in of_rows.items():
        at = 2 * (row - 1)  # between the lines are their ends
        token = comments.tokens.get(row)
        lines[at] = _commented(lines[at], None if token is None else token.start[1], codes)
    changed = "".join(lines)
    if _tree(changed) != _tree(text):
        raise CommandError("a comment would change what the program does")
    return changed.encode(encoding)


def _tree(text: str) -> str:
    with warnings.catch_warnings(action="ignore"):  # of strange escapes
        return ast.dump(ast.parse(text))


def _commented(line: str, column: int | None, codes: set[str]) -> str:
    """A line with a comment that ignores some codes; `column` is where it has a comment already."""
    if column is not None and (ours := OURS.search(line, column)):
        names = sorted({*(codes_in(ours[1]) or ()), *codes})
        return f"{line[: ours.start()]}# jaxtyping: ignore[{', '.join(names)}]{_rest(line, ours)}"
    return f"{line.rstrip(BLANK)}  # jaxtyping: ignore[{', '.join(sorted(codes))}]"


def _rest(line: str, ours: re.Match[str]) -> str:
    """What follows a comment of ours in its line."""
    rest = line[ours.end() :].rstrip(BLANK)
    return f"  #{rest}" if ours[0].endswith("#") else rest
