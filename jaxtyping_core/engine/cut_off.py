"""Programs whose evaluation did not come to its end: the functions that they may call, and were not seen to call.

Another program says nothing of these calls: it may call the same functions with other arrays.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from ..identity import identity
from .facts import Place
from .unresolved import Unresolved

#: Where a function begins and ends.
Span = tuple[int, int, int, int]


class CutOff:
    """What some programs may still call.

    Args:
        texts: the modules of all programs, by their names: their files, their trees, and whether they are packages.
        programs: what those did that were not walked to their end.
        waiting: functions that others may call, where it was not seen what they do then.
    """

    def __init__(
        self,
        texts: Mapping[str, tuple[str, ast.Module, bool]],
        programs: Sequence[Unresolved] = (),
        waiting: Sequence[ast.AST] = (),
    ) -> None:
        self._spans: dict[str, list[Span]] = {}
        asked = {identity(node) for node in waiting}
        for name, (path, tree, _) in texts.items():
            reached = [program.reached for program in programs if name in program.modules]
            if reached or asked:
                self._spans[path] = [
                    (node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0)
                    for node in ast.walk(tree)
                    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
                    and (identity(node) in asked or any(identity(node) not in calls for calls in reached))
                ]

    def may_enter(self, place: Place) -> bool:
        """Whether one of the programs may still call the function that a place is in."""
        position = place.line, place.column
        return any(span[:2] <= position < span[2:] for span in self._spans.get(place.file, ()))

    def as_json(self) -> Iterator[tuple[str, Span]]:
        """The functions that may be called: their files, and where they are."""
        return ((path, span) for path, spans in self._spans.items() for span in spans)
