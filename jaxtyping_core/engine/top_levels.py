"""How far the walk has come at the top levels of modules, and what statements took.

Where an evaluation does not come to its end, another call of a function may say otherwise of a place in it, and another round
of a loop. What stands at the top level of a module, in a statement that was walked to its end, is as it will stay.
"""

from __future__ import annotations

import ast
from collections import defaultdict

from .cut_off import CutOff
from .facts import AT_TOP_LEVEL, Facts, Place

#: What is entered anew by each call.
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
#: The part of the time that a statement took which a note names; of several, one within the others.
MAIN_PART = 0.5
Position = tuple[int, int]


class TopLevelProgress:
    """The statements of top levels that were walked to their end, and what all statements took.

    Attributes:
        seconds: the processor time that each statement took together with others within it and in what it calls, by file and line.
    """

    def __init__(self) -> None:
        self._finished: dict[str, list[ast.stmt]] = {}
        self.seconds: defaultdict[tuple[str, int], float] = defaultdict(float)

    def finish(self, path: str, statement: ast.stmt) -> None:
        """A statement of a top level was walked to its end."""
        self._finished.setdefault(path, []).append(statement)

    def forget(self, path: str) -> None:
        """The module of a file is walked once more."""
        self._finished.pop(path, None)

    def slowest(self) -> tuple[str, int, float] | None:
        """The innermost statement that took most of the time: its file, its line and the seconds; None if there was none."""
        least = MAIN_PART * max(self.seconds.values(), default=0.0)
        long = [(seconds, path, line) for (path, line), seconds in self.seconds.items() if seconds >= least]
        if not long:
            return None
        seconds, path, line = min(long)
        return path, line, seconds

    def divide(self, facts: Facts, cut_off: CutOff) -> tuple[Facts, Facts]:
        """What is certain of the facts of walks that did not end, and what they knew so far.

        Of the functions that a program may still call, what only other programs say is left out.
        """
        within = {path: [*map(_span, finished)] for path, finished in self._finished.items()}
        by_call = {
            path: [_span(node) for each in finished for node in ast.walk(each) if isinstance(node, FUNCTIONS)]
            for path, finished in self._finished.items()
        }

        def is_certain(place: Place) -> bool:
            position = place.line, place.column
            return any(begin <= position < end for begin, end in within.get(place.file, ())) and not any(
                begin <= position < end for begin, end in by_call[place.file]
            )

        certain, rest = Facts(), Facts()
        for place, of_place in facts.places.items():
            is_sure = of_place.keys() == {AT_TOP_LEVEL} and is_certain(place)
            if is_sure or not cut_off.may_enter(place):
                (certain if is_sure else rest).places[place] = of_place
        return certain, rest


def _span(node: ast.stmt | ast.expr) -> tuple[Position, Position]:
    end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return (node.lineno, node.col_offset), end
