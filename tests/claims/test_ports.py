"""Programs of files that are ported: what is reported is where the other library really gives something else.

NumPy is run. PyTorch's answers are data, and are compared with PyTorch itself where it is installed.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import warnings
from collections.abc import Iterator
from typing import Any

import jax
import numpy as np
import pytest

from claims import port_calls, running, torch_answers
from claims.cases import CASES, Case
from jaxtyping_core.engine.rules.port_differences import BEHAVIOURS, ROWS, Behaviour

DATA = json.loads(torch_answers.FILE.read_text(encoding="utf-8"))
RECORDED = DATA["answers"]
NUMPY, TORCH = "numpy", "torch"


def answer_of_numpy(expression: str) -> dict[str, Any]:
    """What NumPy gives: a dtype and numbers, or an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = np.asarray(eval(expression, {"np": np}))
        except Exception as error:  # whatever NumPy raises
            return {"raises": type(error).__name__}
    return {"dtype": result.dtype.name, "numbers": result.tolist()}


def is_reported(case: Case) -> bool:
    """Whether something is said of another library; other rules may say something of the same line."""
    return any(mark.kind and mark.kind.startswith("port-") for mark in case.errors)


def cases(library: str) -> list[Case]:
    """The programs that are ported from a library."""
    return [case for case in CASES if case.file == f"rule_port_{library}"]


def parameters() -> Iterator[Any]:
    for library in (NUMPY, TORCH):
        yield from (pytest.param(library, case, id=case.id) for case in cases(library))


def differs(array: jax.Array, answer: dict[str, Any]) -> bool:
    """Whether an array of JAX is another one than the answer of the other library."""
    if answer.get("dtype") != array.dtype.name:
        return True
    numbers = np.asarray(answer["numbers"], array.dtype)
    return array.shape != numbers.shape or not np.allclose(array, numbers, equal_nan=True)


@pytest.mark.parametrize(("library", "case"), [*parameters()])
def test_what_is_reported_differs(library: str, case: Case) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        variables = running.variables_of(case, None)
    expression = variables[library]
    answer = answer_of_numpy(expression) if library == NUMPY else RECORDED[expression]
    assert differs(variables["x"], answer) == is_reported(case), answer


@pytest.mark.parametrize("name", torch_answers.NAMES)
def test_the_table_tells_the_dtypes_of_other_libraries(name: str) -> None:
    """For all dtypes of the operands; where the table says nothing, nothing is reported."""
    row = next(row for row in ROWS if name in row.names.split())
    told = 0
    for nodes in port_calls.operands(torch_answers.NAMES[name]):
        dtypes = {NUMPY: port_calls.dtype(np, name, nodes), TORCH: DATA["dtypes"][name][" ".join(nodes)]}
        answers = {library: row.answer(nodes, library) for library in row.systems}
        known = {library: answer for library, answer in answers.items() if answer is not None}
        assert known == {library: dtypes[library] for library in known}, nodes
        told += len(known)
    assert told


@pytest.mark.parametrize("library", [NUMPY, TORCH])
def test_there_are_as_many_right_programs(library: str) -> None:
    wrong = [case for case in cases(library) if is_reported(case)]
    assert len(wrong) >= 20 and len(cases(library)) == 2 * len(wrong)


@pytest.mark.parametrize(
    "behaviour", BEHAVIOURS, ids=lambda behaviour: f"{behaviour.system} {behaviour.names}"
)
def test_each_behaviour_has_a_program(behaviour: Behaviour) -> None:
    words = behaviour.told.partition("{")[0]
    marks = [mark.words for case in cases(behaviour.system) for mark in case.errors if mark.words]
    assert any(words.startswith(mark) or mark.startswith(words) for mark in marks)


@pytest.mark.skipif(
    importlib.util.find_spec(TORCH) is None, reason="PyTorch is not installed: its answers are data"
)
def test_the_recorded_answers_are_those_of_torch() -> None:
    torch = importlib.import_module(TORCH)
    assert torch_answers.dtypes(torch) == DATA["dtypes"]
    assert {each: torch_answers.answer(torch, each) for each in RECORDED} == RECORDED
