"""Chooses the variables that are annotated: those of which mypy does not know the dtype, where that brings no error."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from pathlib import Path

from jaxtyping_core.annotating.assignments import Assignment, first, still_open
from jaxtyping_core.annotating.at_line import statement
from jaxtyping_core.annotating.comparing import around, new_errors
from jaxtyping_core.annotating.copies import Copies, Error
from jaxtyping_core.annotating.planning import Level, Plan

#: Checks at most; if what is chosen still brings errors then, no variable is annotated.
MOST_ROUNDS = 5


def with_variables(
    plans: Mapping[Path, tuple[Plan, bytes]],
    levels: Mapping[Path, Mapping[int, Level]],
    check: Copies,
    heads: Mapping[Path, bytes],
    before: Mapping[Path, Sequence[Error]],
) -> dict[Path, bytes]:
    """The files with annotations of variables, too, of which mypy does not know the dtype; of none that brings an error."""
    chosen: dict[Path, list[Assignment]] = {path: [] for path in plans}
    for choose in (first, list):
        rest = {
            path: [each for each in plan.assignments if each not in chosen[path]]
            for path, (plan, _) in plans.items()
        }
        asked = {
            path: plan.write(text, levels[path], chosen[path], rest[path])
            for path, (plan, text) in plans.items()
        }
        shown = check.revealed(asked)
        for path in plans:
            chosen[path] += choose(still_open(asked[path], rest[path], shown[path]))
    for _ in range(MOST_ROUNDS):
        written = {path: plan.write(text, levels[path], chosen[path]) for path, (plan, text) in plans.items()}
        after = check.errors(written)
        is_clean = True
        for path in plans:
            errors = new_errors(heads[path], written[path], before[path], after[path])
            faulty = {each for error in errors for each in _faulty(chosen[path], written[path], error.line)}
            chosen[path] = [each for each in chosen[path] if each not in faulty]
            is_clean &= not errors
        if is_clean:
            return written
    return dict(heads)


def _faulty(chosen: Sequence[Assignment], written: bytes, line: int) -> Sequence[Assignment]:
    """The variables that may have brought an error: those of the functions around it that its statement names, all of these, or all."""
    near: set[int | None] = {number for number, _ in around(written, line)} or {None}
    names = {node.id for node in ast.walk(statement(written, line)) if isinstance(node, ast.Name)}
    of_functions = [each for each in chosen if each.function in near]
    return [each for each in of_functions if each.name in names] or of_functions or chosen
