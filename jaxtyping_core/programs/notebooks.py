"""Notebooks: the cells of one are a program, in their order; a place in it is that of a cell."""

from __future__ import annotations

import ast
import bisect
import functools
import json
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from jaxtyping_core.programs.places import Place
from jaxtyping_core.programs.report import Origin, Refusal, Report, Step
from jaxtyping_core.reading import NEWLINE, UnreadableError, read_bytes

SUFFIX = ".ipynb"
#: Lines of a cell that are commands of IPython or of a shell, which also stand behind ``x =``, and questions: ``x?``.
COMMAND = re.compile(r"^(\s*)(?:[\w., ]+=\s*)?[%!].*$|^(\s*)[\w.]+\?{1,2}\s*$")
#: Commands at the top of a cell after which it is Python all the same.
OF_PYTHON = frozenset({"%%time", "%%timeit", "%%capture", "%%prun", "%%python", "%%python3"})
#: The version of the format that is read; Jupyter converts others when it opens them.
VERSION = 4
#: What a cell of a notebook is called, and how it is known again.
NAMED, NAME = "{file}:cell {number}", re.compile(rf"(.*{re.escape(SUFFIX)}):cell (\d+)")

Placed = TypeVar("Placed", Place, Refusal, Step, Origin)


class Cell(NamedTuple):
    """A cell of code: its number among all cells, the line of the program that is its first, and what is written in it."""

    number: int
    first: int
    source: str


def is_notebook(file: Path | str) -> bool:
    """Whether a file is a notebook, by its name."""
    return str(file).endswith(SUFFIX)


def cells_in(content: bytes) -> tuple[Cell, ...]:
    """The cells of code in a notebook.

    Raises:
        UnreadableError: it is none of Python, or of another version of the format.
    """
    try:
        document = json.loads(content)
        if document["nbformat"] != VERSION:
            raise UnreadableError(
                f"the format of the notebook is {document['nbformat']}, and {VERSION} is read; open and save it in Jupyter"
            )
        written = [_source(cell) if cell["cell_type"] == "code" else None for cell in document["cells"]]
        language = _language(document["metadata"])
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise UnreadableError(f"it is not a valid notebook: {type(error).__name__}: {error}") from None
    if language not in ("", "python"):
        raise UnreadableError(f"the notebook is written in {language}, not in Python")
    return tuple(_numbered(written))


def program_of(content: bytes) -> str:
    """The program that the cells of a notebook are.

    Raises:
        UnreadableError: as for `cells_in`.
    """
    return "\n".join(as_python(cell.source) for cell in cells_in(content))


def _numbered(written: Sequence[str | None]) -> Iterator[Cell]:
    first = 1
    for number, source in enumerate(written, 1):
        if source is not None:
            yield Cell(number, first, source)
            first += len(NEWLINE.findall(source)) + 1


def _source(cell: Mapping[str, Any]) -> str:
    source = cell["source"]
    text = source if isinstance(source, str) else "".join(source)
    return "\n".join(NEWLINE.split(text))


def _language(metadata: Mapping[str, Any]) -> str:
    """The language of a notebook; empty if it does not say."""
    kernel, language = metadata.get("kernelspec", {}), metadata.get("language_info", {})
    return str(kernel.get("language") or language.get("name") or "").lower()


@functools.lru_cache(4096)
def as_python(text: str, is_edited: bool = False) -> str:
    """A cell without commands, line by line where it was; empty if it is no Python, and nobody is about to make it some."""
    lines = NEWLINE.split(text)
    command = lines[0].split()[0] if lines[0].startswith("%%") else ""
    if command and command not in OF_PYTHON:
        return _empty(lines)
    # What parses is left alone: a line may go on with ``% size``.
    for python in (text, "\n".join(COMMAND.sub(r"\1\2pass", line) for line in lines)):
        if _is_python(python):
            return python
    return text if is_edited else _empty(lines)


def _is_python(text: str) -> bool:
    try:
        with warnings.catch_warnings(action="ignore"):
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _empty(lines: Sequence[str]) -> str:
    return "\n" * (len(lines) - 1)


# Places in cells.


def by_cell(file: str) -> dict[str, str]:
    """What is written in the cells of a notebook, by the names of the cells."""
    return {NAMED.format(file=file, number=cell.number): cell.source for cell in _cells_of(file)}


def text_of(name: str) -> str | None:
    """What is written in a cell, by its name; None if the name is that of a file."""
    named = NAME.fullmatch(name)
    return by_cell(named[1]).get(name, "") if named else None


def file_of(name: str) -> str:
    """The file that a cell is in, or the file itself."""
    named = NAME.fullmatch(name)
    return named[1] if named else name


def in_order(name: str) -> tuple[str, int]:
    """A key that sorts files by their names, and the cells of a notebook by their numbers."""
    named = NAME.fullmatch(name)
    return (named[1], int(named[2])) if named else (name, 0)


def place(file: str, line: int) -> tuple[str, int]:
    """The cell that a line of a program is in, and the line there; for any other file the same."""
    cells = _cells_of(file) if is_notebook(file) else ()
    if not cells:
        return file, line
    cell = cells[max(bisect.bisect_right(cells, line, key=lambda cell: cell.first) - 1, 0)]
    return NAMED.format(file=file, number=cell.number), line - cell.first + 1


def report_by_cell(report: Report) -> Report:
    """A report in which places in notebooks are those of cells."""
    return replace(
        report,
        places=[*map(_moved, report.places)],
        parameters=[*map(_moved, report.parameters)],
        refusals=[*map(refusal_by_cell, report.refusals)],
    )


def refusal_by_cell(refusal: Refusal) -> Refusal:
    """A refusal whose places in notebooks are those of cells."""
    moved = _moved(refusal)
    lines = max(refusal.end_line - refusal.line, 0)
    return replace(
        moved,
        end_line=moved.line + lines if refusal.end_line else 0,
        trail=tuple(map(_moved, refusal.trail)),
        origins=tuple(map(_moved, refusal.origins)),
    )


def _moved(placed: Placed) -> Placed:
    file, line = place(placed.file, placed.line)
    return replace(placed, file=file, line=line)


def _cells_of(file: str) -> tuple[Cell, ...]:
    """The cells of a notebook on the disk; none if it cannot be read any more."""
    try:
        return _kept(file, Path(file).stat().st_mtime_ns)
    except OSError:
        return ()


@functools.lru_cache(64)
def _kept(file: str, changed: int) -> tuple[Cell, ...]:
    """The cells of a notebook, which was changed at that time."""
    return cells_in(read_bytes(Path(file)))
