"""Programs that fail for certain, each with a right one, are run and walked: the failures are reported on their lines, and nothing else.

A program of `certain/` begins with ``# ---`` and its name. The line that fails ends in ``# right:`` and what would be right
there. Programs without such a line are right. Declarations of arrays are checked by beartype where a program is run.
"""

from __future__ import annotations

import functools
import re
import sys
import traceback
import types
import warnings
from pathlib import Path
from typing import NamedTuple

import pytest

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.evaluate import ask
from jaxtyping_core.programs.report import Refusal
from jaxtyping_core.programs.sources import Module, Program
from jaxtyping_core.settings import Settings

pytestmark = pytest.mark.one_python
FILES = sorted(Path(__file__).with_name("certain").glob("*.txt"))
HEAD = "import jax\nimport jax.numpy as jnp\n"
DECLARING = """from dataclasses import dataclass
from typing import NamedTuple
from beartype import beartype
from jaxtyping import Array, Bool, Complex, Float, Int, jaxtyped
"""
MARKED = re.compile(r"^( *)(.*)  # right: (.*)$", re.MULTILINE)
KINDS = {"removed_names": "removed", "parameters": "removed"}
#: Programs of each file at least.
LEAST = 10
SECONDS = 200.0


class Case(NamedTuple):
    """A program; `line` is the one that fails."""

    file: str
    name: str
    text: str
    line: int | None

    @property
    def id(self) -> str:
        return f"{self.file}: {self.name}"

    @property
    def right(self) -> str:
        return MARKED.sub(r"\1\3", self.text)


def cases() -> list[Case]:
    known = []
    for file in FILES:
        for block in re.split(r"^# --- ", file.read_text(), flags=re.MULTILINE)[1:]:
            name, _, text = block.partition("\n")
            first = text.partition("\n")[0] if text.startswith("from __future__") else ""
            head = HEAD + (DECLARING if "jaxtyped" in text else "")
            whole = f"{first}\n{head}{text.removeprefix(first)}"
            marked = MARKED.search(whole)
            line = None if marked is None else whole[: marked.start()].count("\n") + 1
            known.append(Case(file.stem, name, whole, line))
    return known


CASES = cases()
WRONG = [case for case in CASES if case.line is not None]


def failure(text: str) -> tuple[BaseException, int] | None:
    """The error with which a program ends, and its line there."""
    module = sys.modules["certain_program"] = types.ModuleType("certain_program")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, "certain_program.py", "exec"), vars(module))  # noqa: S102  # that is what they are for
    except Exception as error:  # a program may raise anything
        lines = [
            frame.lineno
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename == "certain_program.py"
        ]
        return error, lines[-1] or 0
    return None


@functools.cache
def reported() -> dict[str, list[Refusal]]:
    """What the walk reports of each program, wrong and right, by the name of its module."""
    texts = {f"wrong_{i}": case.text for i, case in enumerate(CASES)}
    texts |= {f"right_{i}": case.right for i, case in enumerate(CASES)}
    modules = {name: Module(path=f"{name}.py", text=text, package=False) for name, text in texts.items()}
    child = Evaluator(sys.executable, packages=tuple(Settings().trusted))
    try:
        report = ask(child, Program(Path.cwd(), list(modules), modules), Settings(), SECONDS)
    finally:
        child.close()
    assert not report.incomplete
    known: dict[str, list[Refusal]] = {name: [] for name in texts}
    for refusal in report.refusals:
        known[refusal.file.removesuffix(".py")].append(refusal)
    return known


@pytest.mark.parametrize("case", WRONG, ids=lambda case: case.id)
def test_failures_are_reported_on_their_lines(case: Case) -> None:
    happens = failure(case.text)
    if happens is None:
        pytest.skip("the installed libraries still have it")
    error, line = happens
    if "jaxtyped" not in case.text:  # which raises where the function is called
        assert line == case.line, error
    refusals = reported()[f"wrong_{CASES.index(case)}"]
    assert [refusal.line for refusal in refusals][:1] == [case.line]
    assert refusals[0].kind == KINDS.get(case.file, refusals[0].kind)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_nothing_is_reported_of_right_programs(case: Case) -> None:
    assert failure(case.right) is None
    assert reported()[f"right_{CASES.index(case)}"] == []


#: What messages say may be done.
REMEDIES = {
    "removed_names: tree_map in a function without annotations": "did you mean jax.tree.map?",
    "removed_names: product": "see the changelog of jax for a replacement",
    "parameters: a_min of clip": "its parameters are (arr=None, /, min=None, max=None)",
}


@pytest.mark.parametrize("name", REMEDIES)
def test_messages_say_what_may_be_done(name: str) -> None:
    (i,) = (i for i, case in enumerate(CASES) if case.id == name)
    assert next(refusal.message for refusal in reported()[f"wrong_{i}"]).endswith(REMEDIES[name])


def test_there_are_programs_of_each_kind() -> None:
    counts = {file.stem: sum(case.file == file.stem for case in WRONG) for file in FILES}
    assert {name: count for name, count in counts.items() if count < LEAST} == {
        "right_names": 0,
        "right_sizes": 0,
    }
