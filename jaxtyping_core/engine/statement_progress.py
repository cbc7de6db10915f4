"""Tells the parent at which statement the walk is, and knows which statements are left out."""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ..evaluation import progress
from .control import Exhausted


class StatementProgress:
    """The child's side of `progress`.

    Args:
        request: the modules of the program, by which statements are numbered.
        skipped: the statements at which an earlier walk was ended, as `progress.Position` has them; `ends` of the request is one
            that is not walked at all.
    """

    def __init__(self, request: Mapping[str, Any], skipped: Sequence[Sequence[int]]) -> None:
        paths = [module["path"] for module in request["modules"].values()]
        self._shared = progress.shared(tuple(sys.argv))
        self._numbers = {path: number for number, path in enumerate(paths)}
        self._skipped = frozenset((paths[number], line, column) for number, line, column in skipped)
        number, line, column = request.get("ends") or (0, 0, 0)
        self._ends = (paths[number], line, column) if line else None

    def begins(self, path: str, statement: ast.stmt) -> bool:
        """The walk comes to a statement; whether it is to be walked.

        Raises:
            Exhausted: the walk ends there.
        """
        here = (path, statement.lineno, statement.col_offset)
        if here == self._ends:
            raise Exhausted
        if self._shared is not None:
            self._shared[progress.MODULE] = self._numbers.get(path, -1)
            self._shared[progress.LINE] = statement.lineno
            self._shared[progress.COLUMN] = statement.col_offset
            self._shared[progress.COUNT] += 1
        return here not in self._skipped
