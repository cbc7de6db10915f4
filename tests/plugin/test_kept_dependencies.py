"""What the modules of projects depend on is kept in one file for all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jaxtyping_core.evaluation.cache import Cache
from jaxtyping_core_mypy.dependencies import Dependencies


class Facts:
    """What is known of one file, which has been asked for."""

    def __init__(self, text: str) -> None:
        self.files = [Path("train.py")]
        self.digest = text
        self.evaluations = 0
        self.when_asked: Callable[[str], None] = lambda _: None

    def was_asked_for(self, path: str) -> bool:
        return path == "train.py"

    def of(self, path: str) -> Facts:
        self.evaluations += 1
        return self

    def files_of(self, path: str) -> set[str]:
        return {path}


def of_project(file: Path, name: str, facts: Any) -> Dependencies:
    """A run in a project."""
    return Dependencies(file, Path(name), facts)


def test_two_projects_with_a_module_of_the_same_name(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "answers.sqlite3"
    first, second = of_project(file, "first", Facts("a")), of_project(file, "second", Facts("b"))
    kept = first.data("train.py", is_check=False)
    assert second.data("train.py", is_check=True) != kept
    assert of_project(file, "first", Facts("a")).data("train.py", is_check=True) == kept
    assert second.data("other.py", is_check=False) == kept  # nobody has asked about it
    assert of_project(file, "second", Facts("c")).data("other.py", is_check=True) == kept


def test_a_file_is_asked_about_after_mypy_has_kept_its_module(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "answers.sqlite3"
    facts = Facts("a")
    run = of_project(file, "first", facts)
    kept = run.data("other.py", is_check=False)
    facts.when_asked("other.py")
    other = Facts("b")
    assert of_project(file, "first", other).data("other.py", is_check=True) == kept  # its files are as before
    other.files.append(Path("main.py"))
    assert of_project(file, "first", other).data("other.py", is_check=True) != kept


def test_a_lost_answer(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "answers.sqlite3"
    facts = Facts("a")
    run = of_project(file, "first", facts)
    kept = run.data("train.py", is_check=False)
    run.lose("train.py")
    facts.when_asked("train.py")
    assert of_project(file, "first", Facts("a")).data("train.py", is_check=True) != kept


def test_nothing_is_kept_of_installed_packages(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "answers.sqlite3"
    path = "lib/site-packages/train.py"
    assert of_project(file, "first", Facts("a")).data(path, is_check=False) == []
    assert of_project(file, "first", Facts("a")).data(path, is_check=True) == []


def test_nothing_is_evaluated_while_the_files_are_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    source, file = tmp_path / "train.py", tmp_path / "folder" / "answers.sqlite3"
    source.write_text("x = 1\n")
    kept = of_project(file, "first", Facts("a")).data("train.py", is_check=False)
    facts = Facts("b")
    assert of_project(file, "first", facts).data("train.py", is_check=True) == kept
    assert facts.evaluations == 0
    source.write_text("x = 10\n")
    assert of_project(file, "first", facts).data("train.py", is_check=True) != kept
    assert of_project(file, "first", Facts("a")).data("train.py", is_check=True) == kept


def test_other_files_of_a_run_may_call_what_is_in_this_one(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "answers.sqlite3"
    kept = of_project(file, "first", Facts("a")).data("train.py", is_check=False)
    facts = Facts("b")
    facts.files.append(Path("main.py"))
    assert of_project(file, "first", facts).data("train.py", is_check=True) != kept


@pytest.mark.parametrize(
    "row", ["[]", "3", '["digest", 3, []]', '["digest", [], [[3, null]]]', "no JSON", "[[[[]]]]"]
)
def test_a_row_that_means_nothing(tmp_path: Path, row: str) -> None:
    file = tmp_path / "folder" / "answers.sqlite3"
    kept = of_project(file, "first", Facts("a")).data("other.py", is_check=False)
    Cache(file, "dependencies first").put("train.py", row)
    assert of_project(file, "first", Facts("a")).data("train.py", is_check=True) != kept
