"""The pages of the documentation, and the blocks of code in them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
#: Pages of the site, and the files beside it that people read.
SITE = sorted(DOCS.rglob("*.md"))
ALONE = [ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")]
ALONE.append(ROOT / "editors" / "vscode" / "README.md")

_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<language>\w*)(?P<options>[^\n`]*)\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
_TITLE = re.compile(r'title="(?P<title>[^"]+)"')


class Block(NamedTuple):
    """A block of code: the line of its fence, its language, the file that it stands for if any, and its text."""

    line: int
    language: str
    title: str | None
    text: str


def blocks(page: str) -> Iterator[Block]:
    """The blocks of code in the text of a page."""
    for fence in _FENCE.finditer(page):
        title = _TITLE.search(fence["options"])
        line = page.count("\n", 0, fence.start()) + 1
        yield Block(line, fence["language"], title and title["title"], textwrap.dedent(fence["text"]))


def name(page: Path) -> str:
    """How a test calls a page."""
    return page.relative_to(ROOT).as_posix()
