"""The limits of one run: its steps and its processor time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .control import Exhausted

#: Statements and calls that one evaluation may take.
MOST_STEPS = 400_000
#: The time is looked at once in so many steps.
INTERVAL = 16


class Budget:
    """What a run may take, and what it has taken.

    Args:
        seconds: the processor time that it may take.

    Attributes:
        steps: the statements and calls that were walked.
        is_stopped: tells whether the evaluation was cancelled.
    """

    def __init__(self, seconds: float) -> None:
        self._deadline = time.process_time() + seconds
        self.steps = 0
        self.is_stopped: Callable[[], bool] = lambda: False

    def renew(self, seconds: float) -> None:
        """Begin a run that may take so much processor time."""
        self._deadline = time.process_time() + seconds
        self.steps = 0

    def step(self) -> None:
        """Count a step.

        Raises:
            Exhausted: there were too many, they took too long, or the evaluation was cancelled.
        """
        self.steps += 1
        if self.steps > MOST_STEPS or (self.steps % INTERVAL == 0 and self._is_over()):
            raise Exhausted

    def _is_over(self) -> bool:
        return time.process_time() > self._deadline or self.is_stopped()

    @contextmanager
    def at_most(self, seconds: float) -> Iterator[None]:
        """A part of the run, which may not take more processor time than that."""
        outer = self._deadline
        self._deadline = min(outer, time.process_time() + seconds)
        try:
            yield
        finally:
            self._deadline = outer
