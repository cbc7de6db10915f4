"""Functions that nothing in the program calls, and whose calls are known: those that take nothing, and tests.

The lines that stop one have the comment ``error``. What pytest and absl say of the same tests is the truth.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.evaluate import ask
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

FOLDER = Path(__file__).with_name("of_runners")
FILES = sorted(FOLDER.glob("*.py"))
#: How absl numbers and names the cases of a test.
MARK, NUMBER = "# error", re.compile(r"\d+$|__?(?:small|large)$")


def wrong_lines(text: str) -> list[int]:
    return [number for number, line in enumerate(text.splitlines(), 1) if line.endswith(MARK)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_errors_are_those_that_are_marked(child: Evaluator, file: Path) -> None:
    (program,) = collect([file])
    refusals = ask(child, program, Settings()).refusals
    assert sorted(refusal.line for refusal in refusals) == wrong_lines(file.read_text()), refusals


@pytest.mark.parametrize("name", ["of_pytest.py", "of_absl.py"])
def test_runner_fails_in_the_marked_tests(name: str, tmp_path: Path) -> None:
    if name == "of_absl.py":
        pytest.importorskip("absl")
    text, results = (FOLDER / name).read_text(), tmp_path / "results.xml"
    (tmp_path / f"test_{name}").write_text(text)
    options = [
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        "-q",
        f"--junitxml={results}",
        "-c",
        "/dev/null",
    ]
    subprocess.run(
        [sys.executable, "-m", "pytest", *options, f"test_{name}"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    cases = ElementTree.parse(results).iter("testcase")
    failed = {case.get("name", "").partition("[")[0] for case in cases if case.find("failure") is not None}
    assert {NUMBER.sub("", name) for name in failed} == {
        _function_at(text, line) for line in wrong_lines(text)
    }


def _function_at(text: str, line: int) -> str:
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    return next(each.name for each in functions if each.lineno <= line <= (each.end_lineno or 0))
