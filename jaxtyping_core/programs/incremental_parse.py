"""Parses a text that differs from one that is known in a few definitions alone.

All other statements of its tree are the very objects of the other tree, with all that was read of them (`syntax.kept`). That holds
for texts of as many lines: a statement knows where it is.
"""

from __future__ import annotations

import ast
import bisect
import functools
from collections.abc import Mapping, Sequence

from jaxtyping_core.programs.syntax import DEFINITIONS, first_line

#: Definitions that are parsed by themselves: with more the whole text takes no longer.
MOST = 8
#: Texts of which the number of lines is kept: each text of a large program is compared with all before it.
MOST_COUNTED = 5_000


def parsed_in_part(text: str, known: Mapping[str, ast.Module]) -> ast.Module | None:
    """The tree of a text; None if none of the known texts has the same statements, but for some definitions."""
    if "\r" in text:  # lines of other kinds, too
        return None
    lines = text.split("\n")
    for other, tree in reversed([*known.items()]):
        if _line_count(other) == len(lines):
            places = _changed(tree.body, other.split("\n"), lines)
            made = None if places is None else _with_others(tree, places, lines)
            if made is not None:
                return made
    return None


@functools.lru_cache(maxsize=MOST_COUNTED)
def _line_count(text: str) -> int:
    return text.count("\n") + 1


def _changed(body: Sequence[ast.stmt], before: Sequence[str], lines: Sequence[str]) -> list[int] | None:
    """The numbers of the definitions in which lines differ; None if others do, or there are many."""
    places: list[int] = []
    for number, (old, new) in enumerate(zip(before, lines, strict=True), 1):
        if old == new or (places and number <= (body[places[-1]].end_lineno or 0)):
            continue
        place = bisect.bisect_right(body, number, key=first_line) - 1
        if place < 0 or not _stands_alone(body, place) or number > (body[place].end_lineno or 0):
            return None
        places.append(place)
        if len(places) > MOST:
            return None
    return places


def _stands_alone(body: Sequence[ast.stmt], place: int) -> bool:
    """Whether a statement is a definition that has its lines for itself."""
    statement = body[place]
    begins = place == 0 or (body[place - 1].end_lineno or 0) < first_line(statement)
    ends = place + 1 == len(body) or first_line(body[place + 1]) > (statement.end_lineno or 0)
    return isinstance(statement, DEFINITIONS) and begins and ends


def _with_others(tree: ast.Module, places: Sequence[int], lines: Sequence[str]) -> ast.Module | None:
    """A tree with definitions as they are in other lines; None if these are no Python by themselves."""
    body, at = list[ast.stmt](), 0
    for place in places:
        first, end = first_line(tree.body[place]) - 1, tree.body[place].end_lineno
        try:
            new = ast.parse("\n" * first + "\n".join(lines[first:end]) + "\n")
        except (SyntaxError, ValueError):
            return None
        body += [*tree.body[at:place], *new.body]
        at = place + 1
    return ast.Module([*body, *tree.body[at:]], [])
