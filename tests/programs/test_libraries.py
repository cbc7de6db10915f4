"""Programs that call libraries which are trusted, or described by an overlay: every array in them is known exactly."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest
from test_plain import evaluated, judgement
from truth.programs import Program, programs
from truth.verdicts import Answer

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python  # the same under every Python, and long
PROGRAMS = programs(Path(__file__).parent / "of_libraries")


def library(program: Program) -> str:
    """The library that a program is about, by the name of its file."""
    return program.name.removesuffix("_example")


@pytest.mark.parametrize("program", PROGRAMS, ids=library)
@pytest.mark.sweep("truth")
def test_all_is_known(child: Evaluator, program: Program) -> None:
    if importlib.util.find_spec(library(program)) is None:
        pytest.skip("large libraries are not in the test environment: MuJoCo alone has 90 MB")
    report = evaluated(child, program)
    verdicts = judgement(program, report).verdicts
    assert verdicts and not report.refusals
    known = (Answer.KNOWN,) * 3
    assert not [str(each.key) for each in verdicts if (each.dtype, each.rank, each.shape) != known]
