"""Checks annotated files, on copies; what brings an error is written less precisely.

Errors are those that the program without the new annotations does not have, where checkers look into all functions.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jaxtyping_core.annotating.assigning import with_variables
from jaxtyping_core.annotating.comparing import new_errors
from jaxtyping_core.annotating.copies import Copies, Error
from jaxtyping_core.annotating.error_attribution import (
    ARGUMENT,
    NO_MORE,
    UNRETURNED,
    UNSET,
    Blame,
    Blaming,
    mixes_libraries,
)
from jaxtyping_core.annotating.planning import Level, Plan
from jaxtyping_core.annotating.spelling.common import Precision
from jaxtyping_core.checking.compact_types import shorten

#: Checks at most; what then still brings errors is left without annotations.
MOST_ROUNDS = 5
#: Checks after which the fields of classes may be at fault in any error.
PATIENT_ROUNDS = 2
#: What mypy says of an argument that is something else than an array of JAX.
CONVERTED = re.compile(r'has incompatible type "(?:ndarray|float|int|bool|list|Array\[.*weak)')


@dataclass(slots=True)
class Proven:
    """A file with annotations that bring no error but those that are left, and why some functions have less."""

    content: bytes
    reasons: dict[int, str] = field(default_factory=dict)
    #: Errors that no function is at fault in, or that came up in the last round.
    left: list[Error] = field(default_factory=list)


def prove(
    plans: Mapping[Path, tuple[Plan, bytes]], config_file: Path | None = None, with_pyright: bool = False
) -> tuple[dict[Path, Proven], dict[Path, dict[int, Level]]]:
    """The most precise annotations of some files that bring no error.

    Raises:
        CommandError: a checker is not installed, or its configuration cannot be read.
    """
    levels: dict[Path, dict[int, Level]] = {
        path: dict.fromkeys([*_numbers(plan)], Level()) for path, (plan, _) in plans.items()
    }
    reasons: dict[Path, dict[int, str]] = {path: {} for path in plans}
    with tempfile.TemporaryDirectory(prefix="jaxtyping-core-") as name:
        folder = Path(name).resolve()
        check = Copies(folder, list(plans), config_file, with_pyright)
        before: dict[Path, list[Error]] | None = None
        written: dict[Path, bytes] = {}
        after: dict[Path, list[Error]] = {}
        left: dict[Path, list[Error]] = {}
        for round_ in range(MOST_ROUNDS + 1):
            written = {path: plan.write(content, levels[path]) for path, (plan, content) in plans.items()}
            after = check.errors(written)
            if not any(after.values()):
                left = {}
                break
            if before is None:
                before = check.errors({path: content for path, (_, content) in plans.items()})
            is_last = round_ == MOST_ROUNDS - 1
            left = {
                path: new_errors(content, written[path], before[path], after[path])
                for path, (_, content) in plans.items()
            }
            blamed = [
                blame
                for path, errors in left.items()
                for error in errors
                for blame in Blaming(plans, path, written[path], error, levels[path]).blames()
            ]
            if round_ >= PATIENT_ROUNDS:  # what functions say is not at fault in what is left
                blamed += [
                    Blame(path, owner.number, errors[0], False)
                    for path, errors in left.items()
                    if errors
                    for owner in plans[path][0].owners
                ]
            if round_ == MOST_ROUNDS or not blamed or not _lower(blamed, levels, reasons, is_last):
                break
        if any(plan.assignments for plan, _ in plans.values()):
            written = with_variables(plans, levels, check, written, after)
    return {path: Proven(written[path], reasons[path], left.get(path, [])) for path in plans}, levels


def _numbers(plan: Plan) -> Iterator[int]:
    yield from (planned.number for planned in plan.functions)
    yield from (owner.number for owner in plan.owners)


def _lower(
    blamed: Sequence[Blame],
    levels: Mapping[Path, dict[int, Level]],
    reasons: Mapping[Path, dict[int, str]],
    is_last: bool,
) -> bool:
    """Write less of the functions that are blamed; whether that is possible."""
    is_changed = False
    by_function: dict[tuple[Path, int], list[Blame]] = {}
    for blame in blamed:
        by_function.setdefault((blame.path, blame.number), []).append(blame)
    for (path, number), blames in by_function.items():
        level = levels[path].get(number)
        if level is None:
            continue
        first = blames[0]
        reasons[path].setdefault(number, f"{shorten(first.error.message)} (line {first.error.line})")
        alone = {blame.parameter for blame in blames}
        names = frozenset(name for name in alone if name is not None)
        if None not in alone and not names <= level.left:
            is_numpy = all((m := ARGUMENT.match(b.error.message)) and mixes_libraries(m) for b in blames)
            again = names & level.converted
            lowered = (
                replace(level, converted=level.converted | names)
                if is_numpy and not again
                else replace(level, left=level.left | (again or names))
            )
        elif level.converted - level.left:  # the body does not work with arrays of NumPy, as mypy sees it
            lowered = replace(level, left=level.left | level.converted)
        elif is_last or number < 0:
            lowered = NO_MORE
        elif all(map(_refuses_results, blames)) and level.result < Precision.NOTHING:
            lowered = replace(level, result=Precision.NOTHING)
        elif all(blame.of_result for blame in blames) and level.result < Precision.NOTHING:
            lowered = replace(level, result=_next(level.result, False))
        elif level.parameters < Precision.NOTHING:
            converted = any(CONVERTED.search(blame.error.message) for blame in blames)
            lowered = replace(level, parameters=_next(level.parameters, converted))
        else:
            lowered = Level(Precision.NOTHING, _next(level.result, False))
        is_changed |= lowered != level
        levels[path][number] = lowered
    return is_changed


def _refuses_results(blame: Blame) -> bool:
    """Whether an error stays as long as anything is said of the result."""
    return blame.error.code == UNRETURNED or UNSET in blame.error.message


def _next(precision: Precision, is_converted: bool) -> Precision:
    if is_converted and precision < Precision.LIKE:
        return Precision.LIKE
    return Precision(precision + 1) if precision < Precision.DTYPE else Precision.NOTHING
