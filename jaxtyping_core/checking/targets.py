"""The files that `check` looks at: those that have to do with arrays, and what is wrong with those that cannot be read as Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jaxtyping_core.checking.findings import shown_file
from jaxtyping_core.checking.formats import Diagnostic
from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.files import files_below, refuse_notebook
from jaxtyping_core.programs.imports import OF_ARRAYS
from jaxtyping_core.programs.sources import NotPythonError, text_of
from jaxtyping_core.reading import read_text

#: The code of the error that a file is not valid Python. mypy has the same code for it.
SYNTAX = "syntax"


@dataclass(slots=True)
class Targets:
    """The files to check, and the errors of those that cannot be read as Python."""

    files: list[Path] = field(default_factory=list)
    broken: list[Diagnostic] = field(default_factory=list)


def targets(paths: Sequence[Path]) -> Targets:
    """What is to be checked in some files and folders: files that are named, and below folders those that import JAX.

    Raises:
        CommandError: a path cannot be read or is a notebook, a folder has no Python in it, or nothing in the paths has to
            do with arrays.
    """
    chosen = Targets()
    for path in paths:
        for file in _files(path):
            try:
                text_of(file)
            except NotPythonError as error:
                if file == path and not error.has_text:
                    raise
                chosen.broken.append(_broken(file, error))
            else:
                chosen.files.append(file)
    if not (chosen.files or chosen.broken):
        raise CommandError(
            f"nothing to check: no file in {', '.join(map(str, paths))} imports JAX or a library of arrays;"
            " name the files or folders that do"
        )
    return Targets([*dict.fromkeys(chosen.files)], [*dict.fromkeys(chosen.broken)])


def _files(path: Path) -> Iterator[Path]:
    """The files that a path stands for, without those below a folder that do not concern arrays."""
    if not path.is_dir():
        refuse_notebook(path)
        yield path
        return
    below = [*files_below(path)]
    if not below:
        raise CommandError(f"{path}: the folder has no .py files")
    yield from filter(_concerns_arrays, below)


def _concerns_arrays(file: Path) -> bool:
    """Whether the text of a file imports JAX or a library of arrays. Of a file that cannot be read, it is said later why."""
    try:
        return bool(OF_ARRAYS.search(read_text(file, "replace")))
    except FileNotFoundError:  # a link of an editor, or somebody has removed it
        return False
    except OSError:
        return True


def _broken(file: Path, error: NotPythonError) -> Diagnostic:
    """The error of a file that cannot be read as Python."""
    return Diagnostic(
        file=shown_file(str(file)),
        line=error.line,
        column=None,
        end_line=error.line,
        end_column=None,
        severity="error",
        code=SYNTAX if error.has_text else None,
        message=error.reason,
        hint=None,
    )
