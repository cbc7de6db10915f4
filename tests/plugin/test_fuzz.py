"""Some of the random programs of `fuzz`, always the same; all of them with ``FUZZ_PROGRAMS=2000``."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import fuzz

pytestmark = pytest.mark.one_python

PROGRAMS = int(os.environ.get("FUZZ_PROGRAMS", "15"))
LOT = 100


def test_random_programs(tmp_path: Path) -> None:
    whole = fuzz.Report()
    for seed in range(-(-PROGRAMS // LOT)):
        whole.add(fuzz.check(min(PROGRAMS, LOT), seed, tmp_path))
    assert not whole.problems, "\n".join(whole.problems)
    # Floors, so that the plugin cannot pass by knowing nothing: most of the rest are loops and branches that leave
    # a variable with several shapes, of which no one is exact.
    assert whole.exact > 0.4 * whole.arrays
    assert whole.reported > 0.5 * whole.refused
