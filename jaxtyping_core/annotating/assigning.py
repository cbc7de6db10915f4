"""Chooses the variables that are annotated: those of which mypy does not know the dtype, where that brings no error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from jaxtyping_core.annotating.assignments import Assignment, first, still_open
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
    """The files with annotations of variables, too, of which mypy does not know the dtype; of none in a function where one brings an error."""
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
            for error in new_errors(heads[path], written[path], before[path], after[path]):
                chosen[path] = _without(chosen[path], written[path], error)
                is_clean = False
        if is_clean:
            return written
    return dict(heads)


def _without(chosen: Sequence[Assignment], written: bytes, error: Error) -> list[Assignment]:
    """The variables of functions that are not around an error; none, if there is none around it that has any."""
    near = {number for number, _ in around(written, error.line)}
    kept = [assignment for assignment in chosen if assignment.function not in near]
    return kept if len(kept) < len(chosen) else []
