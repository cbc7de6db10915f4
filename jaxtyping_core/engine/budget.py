"""The limits of one run: its steps and its processor time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .control import Exhausted

#: Statements and calls that one evaluation may take.
MOST_STEPS = 400_000
#: The time is looked at once in so many steps of the walk: most take a tenth of a millisecond.
INTERVAL = 16
#: The part of the time that calls of layers with unknown inputs may take: what is known without them is to be found as well.
SHARE = 0.25


class Budget:
    """What a run may take, and what it has taken.

    Args:
        seconds: the processor time that it may take.

    Attributes:
        steps: the statements and calls that were walked.
        samples: the calls of real code with a sample.
        is_stopped: tells whether the evaluation was cancelled.
        was_over: whether it was time that was used up when something was last exhausted, and not steps.
    """

    def __init__(self, seconds: float) -> None:
        self.renew(seconds)
        self.is_stopped: Callable[[], bool] = lambda: False

    def renew(self, seconds: float) -> None:
        """Begin a run that may take so much processor time."""
        self._deadline = time.process_time() + seconds
        self._last = MOST_STEPS
        self._share = SHARE * seconds
        self.steps = self.samples = 0
        self.was_over = False

    def charge(self, seconds: float) -> None:
        """Count what took that much processor time in an earlier run: all others get what they would get beside it."""
        self._deadline -= seconds

    def step(self) -> None:
        """Count a step.

        Raises:
            Exhausted: there were too many, they took too long, or the evaluation was cancelled.
        """
        self.steps += 1
        if self.steps > self._last or (self.steps % INTERVAL == 0 and self.is_over):
            self.was_over = self.steps <= self._last
            raise Exhausted

    def sample(self) -> None:
        """Count a step that calls real code with a sample. The time is always looked at: the call may take as long as a thousand steps.

        Raises:
            Exhausted: as `step` does.
        """
        self.samples += 1
        self.step()
        if self.is_over:
            self.was_over = True
            raise Exhausted

    @property
    def is_over(self) -> bool:
        """Whether the time is used up, or the evaluation was cancelled."""
        return time.process_time() > self._deadline or self.is_stopped()

    @property
    def seconds_left(self) -> float:
        """The processor time that is left."""
        return max(self._deadline - time.process_time(), 0.0)

    @property
    def has_share(self) -> bool:
        """Whether there is time left of the share of calls that are tried with samples."""
        return self._share > 0

    @contextmanager
    def of_share(self) -> Iterator[None]:
        """A part of the run that counts for that share."""
        before = time.process_time()
        try:
            yield
        finally:
            self._share -= time.process_time() - before

    @contextmanager
    def at_most(self, seconds: float = math.inf, steps: int = MOST_STEPS) -> Iterator[None]:
        """A part of the run, which may take no more processor time and no more steps than that."""
        outer = self._deadline, self._last
        self._deadline = min(self._deadline, time.process_time() + seconds)
        self._last = min(self._last, self.steps + steps)
        try:
            yield
        finally:
            self._deadline, self._last = outer

    @contextmanager
    def apart(self) -> Iterator[None]:
        """A part of the run whose steps do not count for what is around it, such as the walk of a module that is imported."""
        last, before = self._last, self.steps
        self._last = before + MOST_STEPS
        try:
            yield
        finally:
            self._last = last + self.steps - before
