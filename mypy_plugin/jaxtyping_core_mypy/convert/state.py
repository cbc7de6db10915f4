"""What mypy keeps for as long as a build lasts, in places that all builds of a process have in common."""

from __future__ import annotations

from collections.abc import Mapping

from mypy.modules_state import modules_state
from mypy.nodes import MypyFile
from mypy.typestate import reset_global_state


def forget_types() -> None:
    """Let mypy find out anew which types are subtypes of which: the classes of a module may be others now."""
    reset_global_state()


def has_modules(modules: Mapping[str, MypyFile]) -> bool:
    """Whether these are the modules in which mypy finds what is loaded from its cache when it is first needed."""
    return modules_state.modules is modules
