"""Plain programs are run, and nothing that their evaluation claims is contradicted by what they held.

The examples of `autodidax/` are known exactly: every place that held an array, its dtype, its weakness and its shape.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from evaluating import evaluate
from truth.claims import Claim
from truth.programs import Key, Program, facts, programs
from truth.verdicts import Answer, Judgement, judged

import shared
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.report import Report

pytestmark = pytest.mark.one_python  # the same under every Python, and long
HERE = Path(__file__).parent
PLAIN, AUTODIDAX = (programs(HERE / folder) for folder in ("plain", "autodidax"))
# Each takes seconds to run: every seventh, and all where that is set.
if not os.environ.get("ALL_PROGRAMS"):
    PLAIN = PLAIN[::7]
#: Seconds for one run of a program on a busy machine.
SECONDS = 120.0
#: What JAX passes in the place of a Python number: in a trace that is a weak array without dims.
TYPED = frozenset({"TypedInt", "TypedFloat", "TypedComplex"})


def evaluated(child: Evaluator, program: Program) -> Report:
    """What the child says of a program and all that it imports."""
    return evaluate(child, program.main)


def judgement(program: Program, report: Report) -> Judgement:
    """What the claims of a report are worth, found by running the program."""
    truth = facts(program, sys.executable, SECONDS)
    assert truth.failure is None
    claims, of_parameters = (
        {
            Key(Path(place.file).resolve(), place.line, place.column, place.name): Claim(
                place.dtype, place.weak, place.shape
            )
            for place in places
        }
        for places in (report.places, report.parameters)
    )
    of_functions = judged(truth._replace(places=truth.parameters), of_parameters)
    assert not [verdict for verdict in of_functions.verdicts if verdict.mistakes]
    assert not [key for key, fact, _ in of_functions.no_arrays if not TYPED.issuperset(fact.others)]
    return judged(truth, claims)


def by_name(program: Program) -> str:
    return program.name


@pytest.mark.parametrize("program", PLAIN, ids=by_name)
def test_nothing_is_wrong(child: Evaluator, program: Program) -> None:
    report = evaluated(child, program)
    judged = judgement(program, report)
    assert not [verdict for verdict in judged.verdicts if verdict.mistakes]
    assert not judged.no_arrays
    assert not report.refusals
    assert report.places
    assert not [note for note in report.notes if any(words in note for words in shared.NOT_EVALUATED)]


@pytest.mark.parametrize("program", AUTODIDAX, ids=by_name)
def test_autodidax_is_known_exactly(child: Evaluator, program: Program) -> None:
    report = evaluated(child, program)
    verdicts = judgement(program, report).verdicts
    assert verdicts
    assert not report.refusals and not report.notes
    for verdict in verdicts:
        assert (verdict.dtype, verdict.rank, verdict.shape) == (Answer.KNOWN,) * 3, verdict
        weak = {array.weak for array in verdict.fact.arrays}
        assert verdict.claim.dtype == "bool" or verdict.claim.weak == (
            weak.pop() if len(weak) == 1 else None
        ), verdict
