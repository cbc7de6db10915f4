"""Named dims in the five checkers: correct programs pass, swapped and mismatched dims are reported. mypy needs its plugin for some."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import checkers

pytestmark = pytest.mark.one_python  # of the committed stubs, and long

PROGRAM = Path(__file__).parents[1] / "programs" / "named_dims.py"


@pytest.mark.parametrize("checker", checkers.CHECKERS)
def test_named_dims(checker: str, tmp_path: Path) -> None:
    program = tmp_path / PROGRAM.name
    program.write_text(PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
    lines = program.read_text(encoding="utf-8").splitlines()
    expected = [number for number, line in enumerate(lines, 1) if line.endswith("# error")]
    report = checkers.run(checker, [program], tmp_path)
    reported = report.error_lines(program)
    if checker == "mypy":  # it knows what is declared, and leaves the rest to its plugin
        assert reported and set(reported) <= set(expected), report.errors
    else:
        assert reported == expected, report.errors


def test_the_correct_lines_run() -> None:
    """What the program does when it is run is correct: an error there would be a false one."""
    runpy.run_path(str(PROGRAM), run_name="__main__")
