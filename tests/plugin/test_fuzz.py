"""A few of the random programs of `fuzz`, always the same."""

from __future__ import annotations

from pathlib import Path

import fuzz


def test_random_programs(tmp_path: Path) -> None:
    problems, exact = fuzz.check(60, 0, tmp_path)
    assert not problems, "\n".join(problems)
    assert exact > 0.97
