"""Programs as users write them: no false errors, no wrong types, and mistakes are reported.

`tests/users/report.py` prints the same as a table.
"""

from __future__ import annotations

import os
import sys

import pytest
from beartype.roar import BeartypeCallHintViolation

import checkers
from conformance.verdict import Answer
from users.judge import CHECKERS, MISTAKES, PROGRAMS, Findings

#: The part of the mistakes that the plugin must report.
REPORTED = 0.9
#: What JAX, Python (of an unpacking) and beartype say of mistakes.
REFUSALS = (TypeError, ValueError, IndexError, BeartypeCallHintViolation)


#: Every so many programs are run: all take minutes, and are where ``ALL_PROGRAMS=1`` is set; under an older Python, whose
#: JAX the committed stubs do not describe, a few.
STEP = 1 if os.environ.get("ALL_PROGRAMS") else 4 if sys.version_info >= (3, 12) else 14
CHOSEN = tuple(PROGRAMS)[::STEP]
#: The programs that the checkers are shown which take little time.
SHOWN = tuple(PROGRAMS) if sys.version_info >= (3, 12) else CHOSEN
#: The parts of the places whose dtype and shape the plugin must know: of all programs, and of every third, in which
#: programs of unannotated classes have a larger part.
DTYPES, SHAPES = (0.5, 0.46) if STEP == 1 else (0.47, 0.42)


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    return Findings(tmp_path_factory.mktemp("users"), CHOSEN, SHOWN)


def test_there_are_enough() -> None:
    assert len(PROGRAMS) >= 40
    assert MISTAKES.keys() == PROGRAMS.keys()


@pytest.mark.parametrize("checker", CHECKERS)
def test_right_programs_have_no_errors(checker: str, findings: Findings) -> None:
    false = [
        f"{name}.py:{error.line}: {error.message}"
        for name in findings.right(checker)
        for error in findings.false_errors(checker, name)
    ]
    assert not false, "\n".join(false)
    assert set(findings.right(checker)) == set(CHOSEN if checker == checkers.PLUGIN else SHOWN)


def test_no_type_is_wrong(findings: Findings) -> None:
    wrong = [f"{name}.py:{claim}" for name in CHOSEN for claim in findings.claims[name] if claim.is_wrong]
    assert not wrong, "\n".join(wrong)


@pytest.mark.one_python  # the figures are those of the programs that run there
def test_enough_is_known(findings: Findings) -> None:
    answers = [claim.answers for claims in findings.claims.values() for claim in claims]
    assert sum(dtype is Answer.EXACT for dtype, _, _ in answers) >= DTYPES * len(answers)
    assert sum(shape is Answer.EXACT for _, _, shape in answers) >= SHAPES * len(answers)


@pytest.mark.parametrize("name", CHOSEN)
def test_mistakes_fail(name: str, findings: Findings) -> None:
    failed = findings.failures[name]
    assert failed is not None
    assert isinstance(failed.error, REFUSALS), failed.error


def test_mistakes_are_reported(findings: Findings) -> None:
    missed = [name for name in CHOSEN if not findings.reported(checkers.PLUGIN, name)]
    assert len(missed) <= (1 - REPORTED) * len(CHOSEN), missed
