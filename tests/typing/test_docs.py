"""The examples of the page on types run."""

from __future__ import annotations

from pathlib import Path

import pytest

from pages import blocks

PAGE = Path(__file__).parents[2] / "docs" / "typing.md"


def run(page: str) -> int:
    """Runs the Python blocks of `page` one after the other, in one namespace; returns how many there are."""
    numbered = blocks(page)
    space: dict[str, object] = {"__name__": "page"}
    for line, text in numbered:
        code = compile("\n" * line + text, str(PAGE), "exec", dont_inherit=True)
        exec(code, space)  # noqa: S102 - our own page
    return len(numbered)


def test_the_page_runs() -> None:
    page = PAGE.read_text()
    assert run(page) == page.count("```") // 2 > 5


def test_a_wrong_example_fails() -> None:
    with pytest.raises(AssertionError):
        run("```python\nassert True\n```\n\ntext\n\n```python\nassert False\n```\n")
