"""Whether nothing is evaluated where no wall stands: for CI that checks the code of strangers, and for untrusted folders."""

from __future__ import annotations

import os

from . import Wall

#: By this environment variable, processes that run mypy with the plugin are told.
VARIABLE = "JAXTYPING_CORE_REQUIRE_WALL"
TRUE = ("1", "true", "yes", "on")


class _State:
    by_this_process = False


def require() -> None:
    """Evaluate nothing in this process, and in those that it starts, where the whole wall does not stand."""
    _State.by_this_process = True
    os.environ[VARIABLE] = "1"


def is_required() -> bool:
    """Whether that is so."""
    return _State.by_this_process or os.environ.get(VARIABLE, "").lower() in TRUE


def refusal(wall: Wall) -> str:
    """Why nothing is evaluated."""
    return f"nothing was evaluated: {warning(wall.why or wall.level)}"


def warning(why: str) -> str:
    """What a user is told where not all of the wall stands."""
    return f"the operating system does not isolate the evaluation of programs ({why})"
