"""Running type checkers over small programs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import pytest

import mypy_cache
import shared

ROOT = Path(__file__).parents[2]
PROGRAMS = ROOT / "tests" / "programs"
#: For tests of the stubs that are committed.
current_jax = pytest.mark.skipif(
    not jax.__version__.startswith("0.12."),
    reason="the committed stubs describe JAX 0.12, another one is installed",
)

#: A checker: the files and the names that are switched on -> the messages of its errors.
Checker = Callable[..., list[str]]


def _run(command: Sequence[str], folder: Path) -> str:
    # Not from the repository's root: its own configuration is for its own code.
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def mypy(tmp_path_factory: pytest.TempPathFactory) -> Checker:
    """Run mypy without its plugin."""
    folder = tmp_path_factory.mktemp("mypy")

    def check(*files: Path, switched_on: Sequence[str] = (), options: Sequence[str] = ()) -> list[str]:
        options = (*options, *(f"--always-true={name}" for name in switched_on))
        cache = mypy_cache.begin(folder / "-".join(("cache", *options)), *options, plugin=False)
        command = [sys.executable, "-P", "-m", "mypy", "--config-file=", f"--cache-dir={cache}", *options]
        said = _run([*command, *map(str, files)], folder)
        return [line for line in said.splitlines() if ": error: " in line]

    return check


#: The programs that tests have pyright check as they are: it is asked of all of them at once.
SHOWN_TO_PYRIGHT = [
    PROGRAMS / f"{name}.py"
    for name in (
        *("known_types", "idioms", "training", "modules", "unannotated", "assignable", "refused", "surface"),
    )
]


@pytest.fixture(scope="session")
def pyright(tmp_path_factory: pytest.TempPathFactory) -> Checker:
    """Run pyright."""

    def report(files: Sequence[Path], switched_on: Sequence[str]) -> list[dict[str, Any]]:
        folder = tmp_path_factory.mktemp("pyright")
        config = {"defineConstant": dict.fromkeys(switched_on, True)}
        (folder / "pyrightconfig.json").write_text(json.dumps(config))
        command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable]
        said = json.loads(_run([*command, *map(str, files)], folder))
        assert said["summary"]["filesAnalyzed"] == len(files)
        diagnostics: list[dict[str, Any]] = said["generalDiagnostics"]
        return diagnostics

    def check(*files: Path, switched_on: Sequence[str] = ()) -> list[str]:
        if switched_on or not {*files} <= {*SHOWN_TO_PYRIGHT}:
            diagnostics = report(files, switched_on)
        else:
            diagnostics = shared.value("pyright", lambda: report(SHOWN_TO_PYRIGHT, ()))
        asked = {file.resolve() for file in files}
        return [
            f"{diagnostic['file']}:{diagnostic['range']['start']['line'] + 1}: error: {diagnostic['message']}"
            for diagnostic in diagnostics
            if diagnostic["severity"] == "error" and Path(diagnostic["file"]).resolve() in asked
        ]

    return check


@pytest.fixture(params=["mypy", "pyright"])
def checker(request: pytest.FixtureRequest) -> Checker:
    """Each checker."""
    chosen: Checker = request.getfixturevalue(request.param)
    return chosen


def error_lines(errors: Sequence[str]) -> list[int]:
    """The lines that errors are on."""
    return sorted({int(match[1]) for error in errors if (match := re.search(r":(\d+): error", error))})


def marked_lines(path: Path, mark: str) -> list[int]:
    """The lines of a program that end in the comment `mark`."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [number for number, line in enumerate(lines, 1) if line.endswith(f"# {mark}")]
