"""The files of data that a program may read: texts that have come with the request. Nothing is opened here."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Mapping
from typing import Any


class ProjectFiles:
    """The texts of some files of the project.

    Args:
        texts: the texts by the paths that the program may name the files by.

    Attributes:
        digest: tells these texts from all others.
    """

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = dict(texts)
        self.digest = hashlib.sha256(repr(sorted(self._texts.items())).encode()).hexdigest() if texts else ""

    def text_of(self, path: Any) -> str | None:
        """The text of a file; None where it is not known."""
        return self._texts.get(posixpath.normpath(path)) if type(path) is str else None

    def has(self, path: Any) -> bool:
        """Whether the text of a file is known."""
        return self.text_of(path) is not None

    def change(self, path: Any) -> None:
        """The program writes to a file, whose text is not known any more, by whatever path."""
        text = self.text_of(path)
        self._texts = {key: each for key, each in self._texts.items() if each != text}
