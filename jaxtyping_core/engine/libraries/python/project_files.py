"""The files of data that a program may read: what has come with the request. Nothing is opened here."""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

#: The ends of names of files of arrays.
OF_ARRAYS = (".npy", ".npz")


class ProjectFiles:
    """The texts of some files of the project, and the dtypes and shapes of arrays in others.

    Args:
        texts: the texts by the paths that the program may name the files by.
        arrays: for other paths, a dtype and sizes for each array by its name in the file.

    Attributes:
        digest: tells these files from all others.
    """

    def __init__(self, texts: Mapping[str, str], arrays: Mapping[str, Any] = MappingProxyType({})) -> None:
        self._texts, self._arrays = dict(texts), dict(arrays)
        known = repr([sorted(self._texts.items()), sorted(self._arrays.items())])
        self.digest = hashlib.sha256(known.encode()).hexdigest() if texts or arrays else ""

    def text_of(self, path: Any) -> str | None:
        """The text of a file; None where it is not known."""
        return self._texts.get(posixpath.normpath(path)) if type(path) is str else None

    def arrays_of(self, path: Any) -> Mapping[str, Any]:
        """What is known of the arrays of a file."""
        return self._arrays.get(posixpath.normpath(path), {}) if type(path) is str else {}

    def has(self, path: Any) -> bool:
        """Whether the text of a file is known."""
        return self.text_of(path) is not None

    def change(self, path: Any) -> None:
        """The program writes to a file: from now on, its content is unknown under every path that names it."""
        text = self.text_of(path)
        self._texts = {key: each for key, each in self._texts.items() if each != text}
        if type(path) is str and path.endswith(OF_ARRAYS):
            self.change_arrays(path)

    def change_arrays(self, path: Any) -> None:
        """The program saves arrays in a file, or in any file where the path is not known."""
        name = posixpath.basename(path) if type(path) is str else None
        names = () if name is None else (name, *(name + end for end in OF_ARRAYS))
        self._arrays = {
            key: each
            for key, each in self._arrays.items()
            if name is not None and posixpath.basename(key) not in names
        }
