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
from jaxtyping_core.programs.imports import OF_ARRAYS, words_of_imports
from jaxtyping_core.programs.notebooks import SUFFIX, is_notebook
from jaxtyping_core.programs.sources import decoded, read
from jaxtyping_core.reading import read_text

#: Folders that are passed over inside a given one, besides hidden ones: they hold no source of the project.
PASSED_OVER = (*INSTALLED, "__pycache__", "node_modules")
#: The files that commands look at below a folder.
SUFFIXES = (".py", SUFFIX)
#: By this file a virtual environment is known.
ENVIRONMENT = "pyvenv.cfg"


@dataclass(frozen=True, slots=True)
class Files:
    """Files of Python with their texts, and what else there is to say about them."""

    texts: dict[Path, str] = field(default_factory=dict)
    #: Those in which there may be arrays: the ones that are named, and in folders those that concern arrays.
    of_arrays: list[Path] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def python_files(paths: Sequence[Path], suffixes: tuple[str, ...] = (".py",)) -> Files:
    """The files in `paths`; a folder stands for those below it whose names end in one of `suffixes`.

    Raises:
        CommandError: a given file cannot be read as Python, a folder cannot be read, or there is no Python in it.
    """
    files = Files()
    for path in paths:
        if not path.is_dir():
            if SUFFIX not in suffixes:
                refuse_notebook(path, "annotate")
            files.texts[path] = read(path)[0]
            files.of_arrays.append(path)
            continue
        below = list(files_below(path, suffixes=suffixes))
        if not below:
            raise CommandError(f"{path}: the folder has no {' and no '.join(suffixes)} files")
        for file in below:
            try:
                files.texts[file] = read(file)[0]
            except CommandError as error:  # such as one that a program's own tests read
                files.notes.append(f"{error}; the file is left out")
        files.of_arrays.extend(file for file in concerning_arrays(below) if file in files.texts)
    return files


def concerning_arrays(files: Sequence[Path]) -> Iterator[Path]:
    """Those of the files of a folder that import JAX or a library of arrays, or that import such a file.

    The texts are not parsed: a file too many costs little. Of a file that cannot be read, it is said later why.
    """
    texts: dict[Path, str] = {}
    concerned: set[Path] = set()
    for file in files:
        try:
            texts[file] = decoded(file) if is_notebook(file) else read_text(file, "replace")
        except FileNotFoundError:  # a link of an editor, or somebody has removed it
            continue
        except OSError:
            if not is_notebook(file):  # which may be of another language
                concerned.add(file)
    words = {file: words_of_imports(text) for file, text in texts.items()}
    new = {file for file, text in texts.items() if OF_ARRAYS.search(text)}
    while new:
        concerned |= new
        names = {file.parent.name if file.name == "__init__.py" else file.stem for file in new}
        new = {file for file in texts.keys() - concerned if not names.isdisjoint(words[file])}
    return (file for file in files if file in concerned)


def refuse_notebook(path: Path, reader: str) -> None:
    """Say what to do with a notebook that is given to what reads none: mypy, or a command.

    Raises:
        CommandError: the path is that of a notebook.
    """
    if is_notebook(path):
        remedy = f"convert it with `jupytext --to py:percent {path}` and name the .py file"
        raise CommandError(
            f"{path} is a notebook, which {reader} does not read; {remedy} ({page('how-to/notebooks')})"
        )


def files_below(
    folder: Path, most: int | None = None, suffixes: tuple[str, ...] = (".py",)
) -> Iterator[Path]:
    """The files of Python below a folder, in the first `most` folders there.

    Raises:
        CommandError: the folder cannot be read.
    """
    if not os.access(folder, os.R_OK | os.X_OK):
        raise CommandError(f"{folder}: no permission to read this folder")
    for parent, names, files in itertools.islice(os.walk(folder), most):
        names[:] = sorted(name for name in names if _is_source(Path(parent, name)))
        yield from (Path(parent, file) for file in sorted(files) if file.endswith(suffixes))


def _is_source(folder: Path) -> bool:
    passed_over = folder.name.startswith(".") or folder.name in PASSED_OVER
    return not passed_over and not (folder / ENVIRONMENT).exists()
