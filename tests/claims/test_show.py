"""``jaxtyping-core show``: what it shows of the programs of `cases/`, which commands are given many of."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import mypy_cache
from claims import cases
from claims.cases import Case
from claims.expected import Said, expected, said_by_report
from jaxtyping_core.programs.places import from_json
from jaxtyping_core.programs.report import Refusal, Report

pytestmark = pytest.mark.one_python  # long, and no matter of Python or JAX
#: The programs that a command is given.
MANY = 400


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Said]:
    """What is shown of each case."""
    folder = tmp_path_factory.mktemp("cases")
    mypy_cache.begin(folder / ".mypy_cache", config=mypy_cache.OF_CHECK)
    of_show = cases.of("show")
    files = cases.write(folder, of_show, together=True)
    reports: dict[str, Report] = {}
    for i in range(0, len(of_show), MANY):
        reports |= _shown(folder, [files[case.id] for case in of_show[i : i + MANY]])
    return {
        case.id: said_by_report(case, "show", reports[name], name)
        for case in of_show
        for name in (files[case.id].name,)
    }


def _shown(folder: Path, files: list[Path]) -> dict[str, Report]:
    """What a command shows of some files, by their names."""
    names = [file.name for file in files]
    command = [sys.executable, "-P", "-m", "jaxtyping_core", "show", "--output-format", "json", *names]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["file"] for record in records] == names
    return {record["file"]: _report(record) for record in records}


def _report(record: Mapping[str, Any]) -> Report:
    file = record["file"]
    refusals = [
        Refusal(file, each["line"], each["column"], each["kind"], each["message"])
        for each in record["refusals"]
    ]
    return Report([from_json({**place, "file": file}) for place in record["places"]], refusals)


@pytest.mark.parametrize("case", cases.parameters("show"))
def test_show(told: Mapping[str, Said], case: Case) -> None:
    assert told[case.id] == expected(case, "show")
