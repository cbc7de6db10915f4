"""Some of the random programs of `scrambled`, always the same; all of them with ``SCRAMBLED_PROGRAMS=2000``."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
import scrambled

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python  # long
PROGRAMS = int(os.environ.get("SCRAMBLED_PROGRAMS", "15"))


def test_random_programs(tmp_path: Path) -> None:
    places = exact = 0
    problems: list[str] = []
    for lot in range(-(-PROGRAMS // scrambled.LOT)):
        child = Evaluator(sys.executable)
        result = scrambled.check(min(PROGRAMS, scrambled.LOT), lot, tmp_path / str(lot), child)
        child.close()
        places, exact, problems = places + result.places, exact + result.exact, problems + result.problems
    assert not problems, "\n".join(problems)
    assert places > 3 * PROGRAMS
    # So that the evaluation cannot pass by knowing nothing: what is left is mostly of several shapes.
    assert exact > 0.9 * places
