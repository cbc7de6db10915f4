"""The folder of a project that is recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from .running import write
from .zoo import ZOO


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a project, with the library beside it."""
    write(tmp_path / "libraries", zoo=ZOO)
    (tmp_path / "project").mkdir()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "libraries"))
    return tmp_path / "project"
