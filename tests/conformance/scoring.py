"""Programs of many expressions, shown to a checker, and the score of what it says."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import jax

import checkers
from conformance import determined, known, variables
from conformance.cases import Case
from conformance.truth import MODULES, ArrayOf, Items, Refused, Truth, Value, find
from conformance.verdict import Answer, Verdict, judge

#: Expressions in one file, so that what a checker cannot digest stays local.
PER_FILE = 300
#: Where the first expression stands.
_FIRST_LINE = 3


class Finding(NamedTuple):
    """A case with what a checker says."""

    case: Case
    revealed: str
    errors: tuple[str, ...]


@dataclass
class Score:
    """What a checker makes of the cases."""

    checker: str
    x64: bool
    accepted: int = 0
    refused: int = 0
    reported: int = 0  # of the refused ones
    #: Answers about cases whose result has arrays, and about those with none.
    dtype: Counter[Answer] = field(default_factory=Counter)
    rank: Counter[Answer] = field(default_factory=Counter)
    value: Counter[Answer] = field(default_factory=Counter)
    #: By function: how many cases are exact, open, wrong, false errors, and refused by JAX but not reported.
    targets: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    wrong: list[Finding] = field(default_factory=list)
    false_errors: list[Finding] = field(default_factory=list)
    open: list[Finding] = field(default_factory=list)
    open_rank: list[Finding] = field(default_factory=list)
    missed: list[Finding] = field(default_factory=list)
    known: list[Finding] = field(default_factory=list)
    #: Of what the plugin leaves open or does not report: what depends on the values of variables.
    by_values: list[Finding] = field(default_factory=list)
    #: Of the open shapes, those that do not follow from the sizes that the programs state.
    undetermined: list[Finding] = field(default_factory=list)

    def share(self, what: str, answer: Answer = Answer.EXACT) -> float:
        """The part of the answers about "dtype", "rank" or "value" that are `answer`."""
        counter: Counter[Answer] = getattr(self, what)
        return counter[answer] / (counter.total() or 1)


def write(
    cases: Iterable[Case], folder: Path, dims_as: str | None = None, name: str = "program"
) -> dict[tuple[Path, int], Case]:
    """Write programs of the cases, by names that begin with `name`; the case on each line. `dims_as`: how dims are declared."""
    places: dict[tuple[Path, int], Case] = {}
    cases = list(cases)
    folder.mkdir(exist_ok=True)
    for number, start in enumerate(range(0, len(cases), PER_FILE)):
        batch = cases[start : start + PER_FILE]
        file = (folder / f"{name}_{number:03}.py").resolve()
        file.write_text(source([case.expression for case in batch], dims_as), encoding="utf-8")
        places |= {(file, line): case for line, case in enumerate(batch, _FIRST_LINE)}
    return places


def files(places: Iterable[tuple[Path, int]]) -> list[Path]:
    """The programs that have these places."""
    return sorted({file for file, _ in places})


def source(expressions: list[str], dims_as: str | None = None) -> str:
    """A program that reveals the types of expressions, one a line."""
    body = "\n".join(f"    reveal_type({expression})" for expression in expressions)
    modules = [module for module in MODULES if any(f"{module}." in text for text in expressions)]
    extra = "".join(f"; import {module}" for module in modules)
    if dims_as == "names":
        extra += "".join(f"; D{size} = TypeVar('D{size}', bound=int)" for size in range(10))
    return (
        "from typing import Any, Literal, TypeVar, reveal_type; import jax; import jax.numpy as jnp; import numpy as np; "
        f"from jax import lax; from jaxtyping_core.typing import *; from jaxtyping_core.typing import Array{extra}\n"
        f"def program({variables.parameters(expressions, dims_as)}) -> None:\n{body}\n"
    )


def score(
    checker: str,
    places: dict[tuple[Path, int], Case],
    report: checkers.Report,
    x64: bool = False,
    dims_as: str = "numbers",
) -> Score:
    """Judge each line of the programs, whose dims are declared as `dims_as` says, by what a checker reports."""
    programs = {file for file, _ in places}
    errors: dict[tuple[Path, int], list[str]] = {}
    for error in report.errors:
        errors.setdefault((error.file, error.line), []).append(error.message)
    result = Score(checker, x64)
    for message in sorted(
        {e.message for e in report.errors if e.file in programs and (e.file, e.line) not in places}
    ):
        result.false_errors.append(
            Finding(Case("imports", "the head of a program", Value(None)), "", (message,))
        )
    findings = [
        Finding(case, report.revealed.get(place, "Unknown"), tuple(errors.get(place, ())))
        for place, case in places.items()
    ]
    if checker == checkers.PLUGIN:
        with jax.enable_x64(x64):
            result.by_values = _dependent(findings)
    for finding in findings:
        if finding not in result.by_values:
            _add(result, finding)
    if dims_as != "numbers":
        _set_apart(result, dims_as)
    if dims_as == "names":
        result.wrong += [wrong for finding in findings for wrong in _wrong_elsewhere(finding)]
    return result


def _wrong_elsewhere(finding: Finding) -> list[Finding]:
    """What a type with named sizes gets wrong at other sizes than the suite's, if it is right at those."""
    case = finding.case
    if (
        finding.errors
        or isinstance(case.truth, Refused)
        or Answer.WRONG in judge(finding.revealed, case.truth)
    ):
        return []
    others = determined.elsewhere(case.expression, finding.revealed)
    return [
        Finding(case._replace(truth=truth), revealed, ())
        for revealed, truth in others
        if not isinstance(truth, Refused) and Answer.WRONG in judge(revealed, truth)
    ]


def _set_apart(score: Score, dims_as: str) -> None:
    """Take out of the open shapes those that nobody can know."""
    for finding in score.open_rank:
        if not determined.is_determined(finding.case.expression, finding.case.truth, dims_as):
            score.undetermined.append(finding)
    score.open_rank = [finding for finding in score.open_rank if finding not in score.undetermined]
    score.rank[Answer.OPEN] -= len(score.undetermined)


def _is_unsaid(finding: Finding) -> bool:
    """Whether a checker neither reports an error nor states the result, without being wrong."""
    truth = finding.case.truth
    if isinstance(truth, Refused) or finding.errors:
        return not finding.errors
    verdict = judge(finding.revealed, truth, sizes=True)
    return Answer.OPEN in verdict and Answer.WRONG not in verdict


def _dependent(findings: list[Finding]) -> list[Finding]:
    """The findings that leave something open which depends on the values of variables.

    An expression that JAX accepts for some sizes only counts as well: where sizes have names, it is wrong.
    """
    unsaid = [finding for finding in findings if _is_unsaid(finding)]
    refused = [f for f in findings if f.errors and not isinstance(f.case.truth, Refused)]
    others = find([finding.case.expression for finding in unsaid], second=True)
    larger = find([finding.case.expression for finding in refused], larger=True)
    return [
        *(f for f, other in zip(unsaid, others, strict=True) if _in_words(other) != _in_words(f.case.truth)),
        *(f for f, other in zip(refused, larger, strict=True) if isinstance(other, Refused)),
    ]


def _in_words(truth: Truth | None) -> str:
    """A truth as text, without the words of its error: some values cannot be compared."""
    return "refused" if isinstance(truth, Refused) else str(truth)


def _add(score: Score, finding: Finding) -> None:
    truth, target = finding.case.truth, score.targets[finding.case.target]
    if isinstance(truth, Refused):
        score.refused += 1
        score.reported += bool(finding.errors)
        target["reported" if finding.errors else "missed"] += 1
        if not finding.errors:
            score.missed.append(finding)
        return
    sizes = score.checker == checkers.PLUGIN
    verdict = Verdict(Answer.OPEN, Answer.OPEN) if finding.errors else judge(finding.revealed, truth, sizes)
    is_wrong = Answer.WRONG in verdict
    if (finding.errors or is_wrong) and known.reason(score.checker, finding.case.expression, is_wrong):
        score.known.append(finding)
        return
    score.accepted += 1
    if has_arrays(truth):
        score.dtype[verdict.dtype] += 1
        score.rank[verdict.rank] += 1
    else:
        score.value[max(verdict)] += 1
    answer = Answer.WRONG if is_wrong else verdict.dtype
    outcome = "false error" if finding.errors else answer.name.lower()
    target[outcome] += 1
    if finding.errors:
        score.false_errors.append(finding)
    elif is_wrong:
        score.wrong.append(finding)
    else:
        if verdict.dtype is Answer.OPEN:
            score.open.append(finding)
        if verdict.rank is Answer.OPEN and has_arrays(truth):
            score.open_rank.append(finding)


def has_arrays(truth: ArrayOf | Items | Value | Refused) -> bool:
    """Whether a result is an array, or has one in it."""
    return isinstance(truth, ArrayOf) or (isinstance(truth, Items) and any(map(has_arrays, truth.items)))


def line(finding: Finding) -> str:
    """A finding for readers: the expression, what JAX computes, and what the checker says."""
    said = "; ".join(finding.errors)[:300] if finding.errors else finding.revealed[:200]
    return f"`{finding.case.expression}` is {str(finding.case.truth)[:200]}: {said!r}"
