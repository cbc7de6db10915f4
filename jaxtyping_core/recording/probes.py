"""What the probes in a program call. They pass on what they get, whatever happens to the recording.

Where a function of the program runs in a process that records nothing, as one that was sent there does, they do nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jaxtyping_core.recording.border import Border

#: How many more values are looked at, by the number of the probe.
left: list[int] = []
_border: list[Border] = []


def begin(border: Border) -> None:
    """From now on, a recording looks at values."""
    _border[:] = [border]


def end() -> None:
    """No more values are looked at."""
    left[:] = [0] * len(left)
    _border.clear()


def value(number: int, passed: Any) -> Any:
    """What an expression gives, or what is bound."""
    if number < len(left) and left[number] > 0:
        for border in _border:
            border.value(number, passed)
    return passed


def item(number: int, passed: Any) -> bool:
    """An item of a comprehension, which takes it."""
    value(number, passed)
    return True


def owner(number: int, passed: Any) -> Any:
    """What is called, or whose attribute or item it is, or what is gone over."""
    if number < len(left) and left[number] > 0:
        for border in _border:
            border.owner(number, passed)
    return passed


def argument(number: int, passed: Any) -> Any:
    """What a call passes."""
    if number < len(left) and left[number] > 0:
        for border in _border:
            border.argument(number, passed)
    return passed
