"""The programs that an editor has open, as texts: a file is one, and so are the cells of a notebook together."""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from lsprotocol import types
from pygls.uris import to_fs_path
from pygls.workspace import Workspace

from jaxtyping_core.programs.notebooks import as_python
from jaxtyping_core.reading import NEWLINE


class Part(NamedTuple):
    """A document of the editor that is a part of a program: its address, and the line of the program at which it begins."""

    uri: str
    first: int
    version: int | None


@dataclass(frozen=True)
class Document:
    """A program: the file that stands for it, its text, and the documents that this is made of."""

    path: str
    text: str
    parts: tuple[Part, ...]

    def at(self, line: int) -> Part:
        """The part that a line is in."""
        return self.parts[bisect.bisect_right(self.parts, line, key=lambda part: part.first) - 1]

    def line(self, uri: str, line: int) -> int:
        """The line of the program that a line of a part is.

        Raises:
            LookupError: there is no such part.
        """
        for part in self.parts:
            if part.uri == uri:
                return part.first + line
        raise LookupError(uri)


def of_file(workspace: Workspace, path: str, uri: str) -> Document:
    """The program that a file is."""
    document = workspace.get_text_document(uri)
    return Document(path, document.source, (Part(uri, 0, document.version),))


def of_notebook(
    workspace: Workspace, notebook: types.NotebookDocument, path: str, edited: str | None
) -> Document:
    """The program of a notebook; `edited` is the cell in which the user types."""
    cells = [cell.document for cell in notebook.cells if cell.kind == types.NotebookCellKind.Code]
    known = workspace.text_documents  # by their addresses without escapes
    documents = [(uri, known[unquote(uri)]) for uri in cells if unquote(uri) in known]
    documents = [(uri, document) for uri, document in documents if document.language_id in (None, "python")]
    texts = [as_python(document.source, is_edited=uri == edited) for uri, document in documents]
    parts, first = [], 0
    for (uri, document), text in zip(documents, texts, strict=True):
        parts.append(Part(uri, first, document.version))
        first += len(NEWLINE.findall(text)) + 1
    return Document(path, "\n".join(texts), tuple(parts))


def path_of_notebook(uri: str) -> str | None:
    """The file that stands for the program of a notebook: there is none of its name."""
    path = to_fs_path(uri)
    if path is None or not uri.startswith("file:"):
        return None
    file = Path(path)
    return str(file.with_name(re.sub(r"\W", "_", file.name) + ".py"))
