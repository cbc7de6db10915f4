"""Whether what a checker says holds where a program does not state the types of some arrays.

Half of the arrays are declared as `Array` alone. They may then be of any dtype and shape: a type is wrong, and an
error is false, if it is for one of those that JAX accepts.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path

import checkers
from conformance import known, scoring, variables
from conformance.cases import Case
from conformance.scoring import Finding
from conformance.truth import Refused, Truth, find
from conformance.variables import Variable
from conformance.verdict import Answer, Verdict, judge

#: What the arrays of unknown type are tried as. One follows the other, so that two arrays differ.
DTYPES = ("bfloat16", "complex64", "int32", "weak_float", "bool", "float16")
_IN_NUMPY = ("float16", "complex64", "int32", "float32", "bool", "uint8")
_NOTHING = Verdict(Answer.OPEN, Answer.OPEN)


def write(
    chosen: tuple[tuple[str, str], ...], folder: Path, name: str = "program"
) -> dict[tuple[Path, int], Case]:
    """Write programs of expressions in which half of the arrays have no types; the case on each line."""
    cases = [
        Case(target, text, truth)
        for (target, text), truth in zip(chosen, find([text for _, text in chosen]), strict=True)
        if _untyped(text) and truth is not None
    ]
    return scoring.write(cases, folder, variables.UNTYPED, name)


def check(checker: str, places: dict[tuple[Path, int], Case], report: checkers.Report) -> list[Finding]:
    """The wrong types and the false errors of a checker, by what it reports of the programs."""
    errors = {(error.file, error.line): error.message for error in report.errors}
    told = {
        place: Finding(
            case, report.revealed.get(place, "Unknown"), (errors[place],) if place in errors else ()
        )
        for place, case in places.items()
    }
    return [problem for finding in told.values() if (problem := _problem(checker, finding))]


def _problem(checker: str, finding: Finding) -> Finding | None:
    """A finding with what JAX computes in one of the cases in which it is wrong."""
    case, said, error = finding
    if not error and not isinstance(case.truth, Refused) and judge(said, case.truth) == _NOTHING:
        return None
    for truth in possible(case.expression):
        is_wrong = not error and Answer.WRONG in judge(said, truth)
        if (is_wrong or error) and not known.reason(checker, case.expression, is_wrong):
            return finding._replace(case=case._replace(truth=truth))
    return None


@functools.cache
def possible(expression: str) -> list[Truth]:
    """What JAX computes for an expression, for some of the arrays that those of unknown type may be."""
    truths = find(list(dict.fromkeys(_choices(expression))), run=False)
    return [truth for truth in truths if truth is not None and not isinstance(truth, Refused)]


def _untyped(expression: str) -> list[Variable]:
    return [variable for variable in variables.arrays(expression).values() if variable.is_untyped()]


def _choices(expression: str) -> Iterator[str]:
    """An expression with other arrays in place of those without types."""
    unknown = _untyped(expression)
    yield expression
    for first in range(len(DTYPES)):
        chosen = {}
        for number, variable in enumerate(unknown):
            dtypes = _IN_NUMPY if variable.is_numpy else DTYPES
            chosen[variable.name()] = variable._replace(dtype=dtypes[(first + number) % len(dtypes)])
        yield _renamed(expression, chosen)
    for variable in unknown:
        if (
            "where=" in expression
        ):  # NumPy refuses a mask of more dims than the array; JAX returns some of them
            continue
        for shape in ((), variable.shape[1:], (2, *variable.shape)):
            yield _renamed(expression, {variable.name(): variable._replace(shape=shape)})


def _renamed(expression: str, chosen: dict[str, Variable]) -> str:
    names = "|".join(map(re.escape, chosen))
    return re.sub(rf"(?<![\w.])({names})\b", lambda match: chosen[match[0]].name(), expression)


def line(finding: Finding) -> str:
    """A finding for readers."""
    untyped = ", ".join(variable.name() for variable in _untyped(finding.case.expression))
    return f"{scoring.line(finding)}, where nothing is known of {untyped}"
