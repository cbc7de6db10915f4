"""The examples of the page on the layer run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import jaxtyping_core.numpy  # noqa: F401 - the page imports it under another name
from jaxtyping_core.numpy import _checked

PAGE = Path(__file__).parents[2] / "docs" / "layer.md"


def test_the_page_runs() -> None:
    page = PAGE.read_text(encoding="utf-8")
    space: dict[str, object] = {"__name__": "page"}
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL))
    assert len(blocks) == page.count("```python") > 5
    for block in blocks:
        line = page.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], str(PAGE), "exec", dont_inherit=True), space)  # noqa: S102 - our own page


def test_docstrings() -> None:
    assert doctest.testmod(_checked).failed == 0
