"""The pictures of the README are what the commands say."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
#: What is written in a picture, however it is drawn.
WRITTEN = re.compile(r"(?<=>)[^<>\n]*[^<>\s][^<>\n]*(?=</text>)")


@pytest.mark.one_python  # the messages are those of one JAX
def test_pictures_are_current() -> None:
    drawn = dict(runpy.run_path(str(DOCS / "draw.py"))["pictures"]())
    assert drawn.keys() == {picture.name for picture in (DOCS / "images").glob("*.svg")}
    for name, picture in drawn.items():
        kept = WRITTEN.findall((DOCS / "images" / name).read_text())
        assert len(kept) > 50
        assert WRITTEN.findall(picture) == kept, f"python docs/draw.py draws {name} anew"
