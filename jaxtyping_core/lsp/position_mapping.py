"""Where the lines of a text are after edits."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import NamedTuple

#: Lines between the first edit and the last one that are compared line by line: it takes time that grows with its square.
MOST = 400


class Shift(NamedTuple):
    """The lines before `start` are where they were, and those from `end` on moved by `by`; `between` has the others that are left."""

    start: int
    end: int
    by: int
    between: dict[int, int]

    def line(self, line: int) -> int | None:
        """Where a line is now; None if it has been edited."""
        if line < self.start:
            return line
        return line + self.by if line >= self.end else self.between.get(line)


def shift_between(old: Sequence[str], new: Sequence[str]) -> Shift:
    """How lines have moved from one text to the other."""
    most = min(len(old), len(new))
    start = next((i for i in range(most) if old[i] != new[i]), most)
    rest = most - start
    same = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    end, end_now = len(old) - same, len(new) - same
    between: dict[int, int] = {}
    if max(end, end_now) - start <= MOST:
        matcher = difflib.SequenceMatcher(None, old[start:end], new[start:end_now], autojunk=False)
        for block in matcher.get_matching_blocks():
            between |= {start + block.a + i: start + block.b + i for i in range(block.size)}
    return Shift(start, end, len(new) - len(old), between)
