"""Texts of files that an editor holds and has not saved: they stand for what is on the disk, for the whole process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

_texts: dict[Path, str] = {}


def text_of(file: Path) -> str | None:
    """The text of a file that is not saved; None where the disk has it."""
    return _texts.get(file.resolve()) if _texts else None


@contextlib.contextmanager
def holding(texts: Mapping[Path, str]) -> Iterator[None]:
    """Inside, these texts stand for the files, whose paths are resolved."""
    _texts.update(texts)
    try:
        yield
    finally:
        _texts.clear()
