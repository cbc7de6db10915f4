"""What JAX and libraries refuse for certain is reported on its line, and nothing of the same programs put right.

Each function of `refusing/` is called once. One whose name begins with ``wrong`` stops with an error that passes through a
line with the comment ``error`` or ``or``; one whose name begins with ``right`` does not stop. Running them shows that.
"""

from __future__ import annotations

import ast
import functools
import runpy
import sys
import tempfile
import traceback
import warnings
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate
from flax.errors import FlaxError

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.protocol import ACCEPTED
from jaxtyping_core.programs.report import Refusal, Report

pytestmark = pytest.mark.one_python  # the words of a refusal are those of one JAX
FILES = sorted(Path(__file__).with_name("refusing").glob("*.py"))
MARKS = ("error", "or")


def functions(file: Path) -> list[ast.FunctionDef]:
    body = ast.parse(file.read_text()).body
    return [
        node
        for node in body
        if isinstance(node, ast.FunctionDef) and node.name.startswith(("wrong", "right"))
    ]


CASES = [
    pytest.param(file, node, id=f"{file.stem}-{node.name}") for file in FILES for node in functions(file)
]


@functools.cache
def evaluated(file: Path) -> Report:
    """What is said of a file that calls all of its functions."""
    calls = "".join(f"{node.name}()\n" for node in functions(file))
    child = Evaluator(sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, file.name)
        program.write_text(file.read_text() + calls)
        try:
            return evaluate(child, program)
        finally:
            child.close()


@functools.cache
def run(file: Path) -> dict[str, Any]:
    """The names of a file that was run, without a call of its functions."""
    return runpy.run_path(str(file))


def is_marked(file: Path, line: int) -> bool:
    return file.read_text().splitlines()[line - 1].rpartition("# ")[2] in MARKS


def of_function(refusal: Refusal, node: ast.FunctionDef) -> bool:
    """Whether a refusal is in a function, or in what it calls."""
    lines = range(node.lineno, (node.end_lineno or 0) + 1)
    return any(line in lines for line in (refusal.line, *(step.line for step in refusal.trail)))


def refused(report: Report) -> list[Refusal]:
    """What JAX refuses; it accepts a key that is used twice, as many of these programs use theirs."""
    return [refusal for refusal in report.refusals if refusal.kind not in ACCEPTED]


@pytest.mark.parametrize(("file", "node"), CASES)
def test_what_is_said(file: Path, node: ast.FunctionDef) -> None:
    report = evaluated(file)
    assert not report.incomplete
    outside = ("is not a trusted package", "is unknown: ", "nothing calls ")
    assert all(any(words in note for words in outside) for note in report.notes), report.notes
    said = [refusal for refusal in refused(report) if of_function(refusal, node)]
    assert bool(said) == node.name.startswith("wrong")
    assert all(is_marked(file, refusal.line) for refusal in said), said


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_nothing_is_said_of_other_lines(file: Path) -> None:
    assert [
        refusal
        for refusal in refused(evaluated(file))
        if not any(of_function(refusal, node) for node in functions(file))
    ] == []


@pytest.mark.sweep("truth")
@pytest.mark.parametrize(("file", "node"), CASES)
def test_what_a_run_does(file: Path, node: ast.FunctionDef) -> None:
    f = run(file)[node.name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if node.name.startswith("right"):
            f()
            return
        with pytest.raises((TypeError, ValueError, FlaxError)) as raised:
            f()
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(raised.value.__traceback__)
        if frame.filename == str(file)
    ]
    assert any(line is not None and is_marked(file, line) for line in lines), lines
