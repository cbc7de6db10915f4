"""Where the lines of a text are after an edit."""

from __future__ import annotations

from typing import NamedTuple


class Shift(NamedTuple):
    """The lines before `start` are as they were; those from `end` on have moved by `by` lines; the others are others."""

    start: int
    end: int
    by: int

    def line(self, line: int) -> int | None:
        """Where a line is now; None if it has been edited."""
        if line < self.start:
            return line
        return line + self.by if line >= self.end else None


def shift_between(old: list[str], new: list[str]) -> Shift:
    """How lines have moved from one text to the other, by an edit in one place."""
    most = min(len(old), len(new))
    start = next((i for i in range(most) if old[i] != new[i]), most)
    rest = most - start
    same = next((i for i in range(rest) if old[-1 - i] != new[-1 - i]), rest)
    return Shift(start, len(old) - same, len(new) - len(old))
