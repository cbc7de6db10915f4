"""What makes a finding the same one after the file has been edited elsewhere: its file, its code and the text of its line."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from jaxtyping_core.checking.formats import Diagnostic, in_workspace
from jaxtyping_core.programs import notebooks
from jaxtyping_core.programs.sources import UNREADABLE, decoded


class Key(NamedTuple):
    """What a finding is known by. Findings of one code in equal lines of a file have the same key."""

    file: str
    code: str
    text: str


class Texts:
    """The lines of files, each read once."""

    def __init__(self) -> None:
        self._lines: dict[str, list[str]] = {}

    def line(self, file: str, number: int | None) -> str:
        """A line of a file without its end; empty if there is none."""
        if file not in self._lines:
            try:
                cell = notebooks.text_of(file)
                self._lines[file] = (decoded(Path(file)) if cell is None else cell).split("\n")
            except UNREADABLE:
                self._lines[file] = []
        lines = self._lines[file]
        return lines[number - 1] if number and number <= len(lines) else ""

    def key(self, diagnostic: Diagnostic) -> Key:
        """The key of a finding, whose line may move and be indented otherwise."""
        line = self.line(diagnostic.file, diagnostic.line)
        return Key(notebooks.file_of(diagnostic.file), diagnostic.code or "", " ".join(line.split()))


def fingerprints(diagnostics: Iterable[Diagnostic], texts: Texts) -> Iterator[str]:
    """A fingerprint of each finding, which no other one has."""
    ordinals: Counter[Key] = Counter()
    for diagnostic in diagnostics:
        key = texts.key(diagnostic)
        parts = [in_workspace(key.file), key.code, key.text, ordinals[key]]
        ordinals[key] += 1
        yield hashlib.sha256(json.dumps(parts).encode()).hexdigest()
