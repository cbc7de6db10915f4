"""What rules hold at one moment, to be put back: what they have of one part of an evaluation says nothing of another one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...identity import identity

#: The package of the objects that rules have for themselves.
OWN = __name__.rpartition(".")[0]


class Contents:
    """What some objects of rules hold, and those within them.

    Args:
        objects: the objects.
        lasting: what is not looked into.
    """

    def __init__(self, objects: Iterable[Any], lasting: Iterable[Any]) -> None:
        self._held: list[tuple[Any, Any]] = []
        waiting, seen = [*objects], {*map(identity, lasting)}
        while waiting:
            value = waiting.pop()
            if identity(value) in seen:
                continue
            seen.add(identity(value))
            if isinstance(value, dict):
                self._held.append((value, dict(value)))
                waiting += value.values()
            elif isinstance(value, (list, set)):
                self._held.append((value, [*value]))
                waiting += value
            elif isinstance(value, tuple):
                waiting += value
            elif type(value).__module__.startswith(OWN) and hasattr(value, "__dict__"):
                waiting.append(vars(value))

    def restore(self) -> None:
        """All of them hold again what they held then."""
        for value, held in self._held:
            if isinstance(value, list):
                value[:] = held
            else:
                value.clear()
                value.update(held)
