"""What is known of a value and its annotation: it is as declared, it is not, or that is open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True, slots=True)
class Proven:
    """The value is as declared."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """What is known of the value does not tell."""


class Clash(NamedTuple):
    """A name in annotations that stands for one size or dtype, and is to stand for another one."""

    name: str
    first: Any
    second: Any


@dataclass(frozen=True, slots=True)
class Violated:
    """The value is not as declared: at `path` in it, `actual` is there in place of what is `expected`.

    Both are as users read them. `here` is what is expected with the sizes that are known, and `value` what is there. Where a
    name is the reason, `clash` tells what it stands for.
    """

    path: str
    actual: str
    expected: str
    here: str = ""
    code: str = "array-shape"
    value: Any = field(default=None, compare=False)
    clash: Clash | None = field(default=None, compare=False)


Verdict = Proven | Violated | Unknown
PROVEN, UNKNOWN = Proven(), Unknown()


def of_fit(fit: bool | None) -> Proven | Unknown | None:
    """The verdict on what fits, or may fit; None on what does not."""
    return PROVEN if fit else UNKNOWN if fit is None else None


def every(verdicts: Iterable[Verdict]) -> Verdict:
    """The verdict on what has parts: the first that is not as declared, or what is known of all."""
    result: Verdict = PROVEN
    for verdict in verdicts:
        if isinstance(verdict, Violated):
            return verdict
        if verdict == UNKNOWN:
            result = verdict
    return result


def every_fit(fits: Iterable[bool | None]) -> bool | None:
    """Whether all of some things fit; None where that is open."""
    result: bool | None = True
    for fit in fits:
        if fit is False:
            return False
        result = result if fit else None
    return result


def any_fit(fits: Iterable[bool | None]) -> bool | None:
    """Whether one of some things fits; None where that is open."""
    result: bool | None = False
    for fit in fits:
        if fit:
            return True
        result = None if fit is None else result
    return result
