"""A limit of time for code that may not end."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

#: A program that catches everything gets the exception again after so many seconds.
AGAIN = 0.5


class TimeLimit(BaseException):
    """The time is over. No `Exception`, so that programs let it through."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TimeLimit` inside after some seconds; without any limit outside the main thread, and on Windows.

    A call into native code is interrupted only when it comes back.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeLimit

    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, before)
