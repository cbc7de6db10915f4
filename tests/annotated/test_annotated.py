"""Programs as users annotate them with jaxtyping: mypy with the plugin says nothing of those that are right, and finds mistakes.

Each is also run under jaxtyping's own checks: it runs to its end, and its copy with the mistake does not.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import jaxtyping
import pytest

from harness import Messages, run_mypy
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings
from jaxtyping_core.severities import graded, printed

pytestmark = pytest.mark.one_python  # long, and the same under every Python

HERE = Path(__file__).parent
PROGRAMS = {file.stem: file.read_text() for file in sorted((HERE / "programs").glob("*.py"))}
MISTAKES = tomllib.loads((HERE / "mistakes.toml").read_text())
#: What mypy says of right programs that is no matter of arrays, or says without the plugin as well; the file has reasons.
EXCUSED = [row["message"] for row in tomllib.loads((HERE / "excused.toml").read_text())["error"]]
#: Every so many programs are looked at: all take ten minutes, and are where ``ALL_PROGRAMS=1`` is set.
STEP = 1 if os.environ.get("ALL_PROGRAMS") else 15
CHOSEN = tuple(PROGRAMS)[::STEP]
#: The part of the mistakes that mypy with the plugin must report on its own, which does not run through whole programs.
REPORTED = 0.6


def mistaken(name: str) -> str:
    """A program with its mistake."""
    before, *after = PROGRAMS[name].split(MISTAKES[name]["old"])
    assert len(after) == 1, f"{name} has {MISTAKES[name]['old']!r} {len(after)} times"
    return f"{before}{MISTAKES[name]['new']}{after[0]}"


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> Messages:
    programs = {name: PROGRAMS[name] for name in CHOSEN}
    programs |= {f"{name}_mistaken": mistaken(name) for name in CHOSEN}
    return run_mypy(programs, tmp_path_factory.mktemp("annotated"), "check_untyped_defs = True\n")


def errors(messages: Messages, name: str) -> set[str]:
    """What mypy says of a program, without the lines."""
    return {text for texts in messages.get(name, {}).values() for text in texts if text.startswith("E: ")}


def run(name: str, source: str, folder: Path) -> ModuleType:
    """Run a program under jaxtyping's and beartype's checks."""
    (folder / f"{name}.py").write_text(source)
    with jaxtyping.install_import_hook(name, "beartype.beartype"):
        sys.path.insert(0, str(folder))
        try:
            return importlib.import_module(name)
        finally:
            sys.path.remove(str(folder))
            sys.modules.pop(name, None)


def test_there_are_enough() -> None:
    assert len(PROGRAMS) >= 60
    assert MISTAKES.keys() == PROGRAMS.keys()


@pytest.mark.parametrize("name", CHOSEN)
def test_right_programs_have_no_errors(name: str, messages: Messages) -> None:
    said = errors(messages, name)
    assert {text for text in said if not any(re.search(pattern, text) for pattern in EXCUSED)} == set()


def test_mistakes_are_reported(messages: Messages) -> None:
    missed = [name for name in CHOSEN if not errors(messages, f"{name}_mistaken") - errors(messages, name)]
    assert len(missed) <= (1 - REPORTED) * len(CHOSEN), missed


def refusals(source: str, file: Path) -> list[str]:
    """The errors and warnings of the evaluation of a program, which ``jaxtyping-core check`` reports beside mypy."""
    file.write_text(source)
    settings = Settings()
    report = evaluate_programs(collect([file], settings.trusted), settings, sys.executable, keep=True)
    assert not report.incomplete, report.notes
    graver = graded(report.refusals, printed(()))
    return [f"{refusal.line}: {refusal.message}" for refusal in graver]


@pytest.mark.parametrize("name", CHOSEN)
def test_evaluation_finds_every_mistake(name: str, tmp_path: Path) -> None:
    assert refusals(PROGRAMS[name], tmp_path / f"{name}.py") == []
    assert refusals(mistaken(name), tmp_path / f"{name}_mistaken.py") != []


@pytest.mark.parametrize("name", CHOSEN)
def test_run_time_agrees(name: str, tmp_path: Path) -> None:
    run(f"right_{name}", PROGRAMS[name], tmp_path)
    with pytest.raises((jaxtyping.TypeCheckError, TypeError, ValueError)):
        run(f"wrong_{name}", mistaken(name), tmp_path)
