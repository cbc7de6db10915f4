"""The files that `check` looks at: those that have to do with arrays, as `show` evaluates them, and what is wrong with those that cannot be read as Python."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jaxtyping_core.checking.findings import shown_file
from jaxtyping_core.checking.formats import Diagnostic
from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.files import SUFFIXES, concerning_arrays, files_below
from jaxtyping_core.programs.sources import NotPythonError, text_of

#: The code of the error that a file is not valid Python. mypy has the same code for it.
SYNTAX = "syntax"


@dataclass(slots=True)
class Targets:
    """The files to check, and the errors of those that cannot be read as Python."""

    files: list[Path] = field(default_factory=list)
    broken: list[Diagnostic] = field(default_factory=list)


def targets(paths: Sequence[Path]) -> Targets:
    """What is to be checked in some files and folders: files that are named, and below folders those that concern arrays.

    Raises:
        CommandError: a path cannot be read, a folder has no Python in it, or nothing in the paths has to
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
        yield path
        return
    below = [*files_below(path, suffixes=SUFFIXES)]
    if not below:
        raise CommandError(f"{path}: the folder has no .py and no .ipynb files")
    yield from concerning_arrays(below)


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
