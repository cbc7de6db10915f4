"""A limit of time for code that may not end."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: How often the time is looked at; a program that catches everything gets the exception again as often.
STEP = 0.05
#: A busy machine, and a call that waits, may take so many times the processor time.
WAITING = 5


class TimeLimit(BaseException):
    """The time is over. No `Exception`, so that programs let it through."""


class Clock:
    """Whether some seconds of processor time are over, or `WAITING` times as many by the clock."""

    def __init__(self, seconds: float) -> None:
        self._processor = time.process_time() + seconds
        self._wall = time.monotonic() + WAITING * seconds

    def is_over(self) -> bool:
        """Whether the time is over."""
        return time.process_time() > self._processor or time.monotonic() > self._wall


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeLimit` inside after some seconds; without any limit outside the main thread, and on Windows.

    A call into native code is interrupted only when it comes back.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    clock = Clock(seconds)

    def look(number: int, frame: FrameType | None) -> None:
        if clock.is_over():
            raise TimeLimit

    before = signal.signal(signal.SIGALRM, look)
    try:
        signal.setitimer(signal.ITIMER_REAL, STEP, STEP)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
