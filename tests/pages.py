"""The examples in a page of documentation."""

from __future__ import annotations

import re

_BLOCK = re.compile(r"^```python\n(?P<code>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str) -> list[tuple[int, str]]:
    """The blocks of Python code in a page, each with the number of lines above it."""
    return [(page.count("\n", 0, block.start("code")), block["code"]) for block in _BLOCK.finditer(page)]
