"""What docs/how-to/containers.md says of the items of dicts and lists is what `check` says, and what JAX gives."""

from __future__ import annotations

import re
from pathlib import Path

import jax
import pytest

from check_command import Check
from docs.pages import blocks

pytestmark = pytest.mark.one_python  # long, and no matter of Python or JAX
PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "containers.md"
#: An expression alone on a line, with its array behind it.
SHOWN = re.compile(
    r"^(?P<indent> *)(?P<expression>[\w\[\]\x22-]+)  # (?P<array>\w+\[[^\]]*\]).*$", re.MULTILINE
)


@pytest.fixture
def check(check_with_mypy: Check) -> Check:
    """All of this file is about mypy's messages."""
    return check_with_mypy


def test_the_page(check: Check, tmp_path: Path) -> None:
    source = next(block.text for block in blocks(PAGE.read_text()) if block.language == "python")
    shown = list(SHOWN.finditer(source))
    assert len(shown) >= 5
    (tmp_path / "page.py").write_text(SHOWN.sub(r"\g<indent>reveal_type(\g<expression>)", source))
    said = check(tmp_path, "page.py").stdout
    revealed = re.findall(r'Revealed type is "(.*)"', said)
    assert revealed == [match["array"] for match in shown], said
    arrays: list[jax.Array] = []
    exec(SHOWN.sub(r"\g<indent>arrays.append(\g<expression>)", source), {"arrays": arrays})  # noqa: S102 - our own page
    for match in shown:
        array, *others = arrays[: 2 if match["indent"] else 1]
        del arrays[: 1 + len(others)]
        sizes = match["array"].partition("[")[2].rstrip("]").replace(",", "").split()
        assert match["array"].startswith(f"{array.dtype}[")
        assert len(sizes) == array.ndim
        assert all(size in ("?", str(n)) for size, n in zip(sizes, array.shape, strict=True))
    assert not arrays
