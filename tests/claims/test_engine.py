"""The abstract interpreter: what it says of each program of `cases/`, of which each is asked alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from claims import cases
from claims.cases import Case
from claims.expected import expected, said_by_report
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.evaluate import ask, leaves_nothing
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

#: The files of cases that are ported from other libraries.
PORTED = {"rule_port_numpy": "numpy", "rule_port_torch": "torch"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs."""
    return tmp_path_factory.mktemp("cases")


@pytest.mark.parametrize("case", cases.parameters("engine"))
def test_engine(child: Evaluator, folder: Path, case: Case) -> None:
    file = cases.write(folder, [case])[case.id]
    (program,) = collect([file])
    library = PORTED.get(case.file)
    settings = Settings(port=((library, str(file)),) if library else ())
    report = ask(child, program, settings)
    if not leaves_nothing(program):
        child.close()  # what a program has changed of JAX and the libraries must not last
    assert said_by_report(case, "engine", report, str(file)) == expected(case, "engine"), report.notes
