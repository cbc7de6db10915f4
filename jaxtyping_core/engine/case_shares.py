"""The time that checks of functions may take of which calls are known by themselves."""

from __future__ import annotations

import collections
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .interpreter import Interpreter

#: Where only errors are wanted: what all functions of which calls are known may take of the time, and how many parts of that one of
#: them, where each of those that follow it has one part.
SHARE_OF_CASES, PARTS_OF_CASE = 0.1, 3


def leave_out(interpreter: Interpreter, what: str) -> None:
    """Tell that something is left out for want of time."""
    note = f"{what}: left out, because it takes too long to evaluate"
    interpreter.diagnostics.note(note)
    interpreter.diagnostics.lost[note] = None


class CaseShares:
    """The functions of which calls are known by themselves, and the time that they may take where only errors are wanted."""

    def __init__(self, interpreter: Interpreter, count: int) -> None:
        self._interpreter = interpreter
        self._seconds = SHARE_OF_CASES * interpreter.budget.seconds_left
        self._left = count
        self._slow = collections.Counter[str]()

    @property
    def share(self) -> float:
        """The seconds that the next one may take."""
        return PARTS_OF_CASE * self._seconds / max(self._left, 1)

    def seen(self, file: str, is_whole: bool, before: float) -> None:
        """One was walked, to its end or not; `before` are the seconds that were left before it."""
        self._seconds -= before - self._interpreter.budget.seconds_left
        self._left -= 1
        self._slow[file] += not is_whole

    def tell(self) -> None:
        """Tell which were not walked to their end."""
        if slow := +self._slow:
            more = f" and {len(slow) - 1} more" if len(slow) > 1 else ""
            leave_out(
                self._interpreter, f"{min(slow)}{more}: {slow.total()} tests, or functions that nothing calls"
            )
