"""What the modules of projects depend on is kept in one file for all of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxtyping_core.evaluation.cache import Cache
from jaxtyping_core_mypy.dependencies import Asked, Dependencies

ASKED = Asked(frozenset({"functions.py"}), None)


def of_project(file: Path, name: str) -> Dependencies:
    """A run in a project, whose functions are not found."""
    return Dependencies(file, Path(name), lambda asked: None)


def test_two_projects_with_a_module_of_one_name(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "answers.sqlite3"
    first, second = of_project(file, "first"), of_project(file, "second")
    first.add("train", ASKED)
    digest = first.keep("train")
    assert digest is not None
    assert second.known("train") is None
    assert second.keep("train") is None  # it depends on nothing there
    assert of_project(file, "first").known("train") == digest


@pytest.mark.parametrize(
    "row", ["[]", "3", '["digest", 3, []]', '["digest", [], [[3, null]]]', "no JSON", "[[[[]]]]"]
)
def test_a_row_that_means_nothing(tmp_path: Path, row: str) -> None:
    file = tmp_path / "folder" / "answers.sqlite3"
    Cache(file, "dependencies first").put("train", row)
    assert of_project(file, "first").known("train") in (None, "digest")
