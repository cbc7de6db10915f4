"""What the project says that it needs."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
LISTS = {
    "dependencies": PROJECT["project"]["dependencies"],
    **PROJECT["project"]["optional-dependencies"],
    **PROJECT["dependency-groups"],
}


@pytest.mark.one_python
@pytest.mark.parametrize("name", LISTS)
def test_lists_are_in_order_and_name_nothing_twice(name: str) -> None:
    """In order, so that a second one is seen by who adds it."""
    packages = [re.split(r"[^\w.-]", requirement)[0] for requirement in LISTS[name]]
    assert len(packages) == len(set(packages)), packages
    assert name != "test" or packages == sorted(packages)
