"""What checkers are known to say wrongly or to report falsely, each with the reason: nothing else may be wrong."""

from __future__ import annotations

import re
from typing import NamedTuple


class Exception_(NamedTuple):
    """Expressions, as a regular expression for the whole of each, and why they are excepted."""

    expression: str
    reason: str
    checkers: tuple[str, ...] = ("mypy", "pyright", "pyrefly", "ty", "zuban")


EXCEPTIONS: tuple[Exception_, ...] = ()


def reason(checker: str, expression: str) -> str | None:
    """Why a checker may be wrong about an expression; None where it may not."""
    for one in EXCEPTIONS:
        if checker in one.checkers and re.fullmatch(one.expression, expression):
            return one.reason
    return None
