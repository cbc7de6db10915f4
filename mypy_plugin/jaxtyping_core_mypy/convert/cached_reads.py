"""How mypy itself reads an annotation, inside of a hook that it asks for whenever it reads one."""

from __future__ import annotations

from typing import Any

from mypy.types import Type, UnboundType


class Readings:
    """mypy's own reading of annotations: it asks for the same hook again, and is given none."""

    def __init__(self) -> None:
        self._passing = False

    def passes(self) -> bool:
        """Whether the hook is asked for by such a reading, once."""
        passing, self._passing = self._passing, False
        return passing

    def of(self, api: Any, written: UnboundType) -> Type:
        """What mypy makes of an annotation."""
        self._passing = True
        try:
            analyzed: Type = api.analyze_type(written)
            return analyzed
        finally:
            self._passing = False
