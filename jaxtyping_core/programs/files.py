"""The files that a command is given: single ones, and those in folders."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jaxtyping_core.errors import CommandError
from jaxtyping_core.pages import page
from jaxtyping_core.programs.import_roots import INSTALLED
from jaxtyping_core.programs.sources import read

#: Folders that are passed over inside a given one, besides hidden ones: they hold no source of the project.
PASSED_OVER = (*INSTALLED, "__pycache__", "node_modules")
#: By this file a virtual environment is known.
ENVIRONMENT = "pyvenv.cfg"


@dataclass(frozen=True, slots=True)
class Files:
    """Files of Python with their texts, and what else there is to say about them."""

    texts: dict[Path, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def python_files(paths: Sequence[Path]) -> Files:
    """The files in `paths`; a folder stands for those below it whose names end in ``.py``.

    Raises:
        CommandError: a given file cannot be read as Python, a folder cannot be read, or there is no Python in it.
    """
    files = Files()
    for path in paths:
        if not path.is_dir():
            refuse_notebook(path)
            files.texts[path] = read(path)[0]
            continue
        below = list(files_below(path))
        if not below:
            raise CommandError(f"{path}: the folder has no .py files")
        for file in below:
            try:
                files.texts[file] = read(file)[0]
            except CommandError as error:  # such as one that a program's own tests read
                files.notes.append(f"{error}; the file is left out")
    return files


def refuse_notebook(path: Path) -> None:
    """Say how a notebook is checked, whose text is not Python.

    Raises:
        CommandError: the path is that of a notebook.
    """
    if path.suffix == ".ipynb":
        remedy = f"convert it with `jupytext --to py:percent {path}` and check the .py file"
        raise CommandError(f"{path} is a notebook; {remedy} ({page('how-to/notebooks')})")


def files_below(folder: Path, most: int | None = None) -> Iterator[Path]:
    """The files of Python below a folder, in the first `most` folders there.

    Raises:
        CommandError: the folder cannot be read.
    """
    if not os.access(folder, os.R_OK | os.X_OK):
        raise CommandError(f"{folder}: no permission to read this folder")
    for parent, names, files in itertools.islice(os.walk(folder), most):
        names[:] = sorted(name for name in names if _is_source(Path(parent, name)))
        yield from (Path(parent, file) for file in sorted(files) if file.endswith(".py"))


def _is_source(folder: Path) -> bool:
    passed_over = folder.name.startswith(".") or folder.name in PASSED_OVER
    return not passed_over and not (folder / ENVIRONMENT).exists()
