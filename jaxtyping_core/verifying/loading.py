"""Modules that a command names, imported as a program would."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from jaxtyping_core.errors import CommandError


def load(name: str) -> ModuleType:
    """Import a module by its dotted name or by the path of its file. What it prints goes to standard error.

    Raises:
        CommandError: there is no such module, or its import fails; with the last place of the program's own.
    """
    path: Path | None = None
    argument = name
    if name.endswith(".py") or "/" in name:
        path = Path(name)
        if not path.is_file():
            raise CommandError(f"{name}: no such file")
        root, name = _place(path.resolve())
    else:
        root = Path.cwd()
    with _first_on_path(root), _as_program(name), contextlib.redirect_stdout(sys.stderr):
        module = _imported(name)
    file = module.__file__
    if file is None:
        raise CommandError(f"{argument} is a folder; name a module in it")
    if path is not None and Path(file).resolve() != path.resolve():
        raise CommandError(
            f"{argument}: another module {name!r} is already imported from {file}; rename one of them, or verify them in separate runs"
        )
    return module


def _place(path: Path) -> tuple[Path, str]:
    """The folder that a file is imported from, and its dotted name: packages are folders with ``__init__.py``."""
    parts = [] if path.stem == "__init__" else [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return folder, ".".join(parts)


@contextlib.contextmanager
def _first_on_path(folder: Path) -> Iterator[None]:
    """The folder stays there: functions import when they are called, too."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    yield


@contextlib.contextmanager
def _as_program(name: str) -> Iterator[None]:
    """Hide our own arguments from what reads them when it is imported."""
    before = sys.argv
    sys.argv = [name]
    try:
        yield
    finally:
        sys.argv = before


def _imported(name: str) -> ModuleType:
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise CommandError(
                f"there is no module {name!r}; give the name that you import, or a path that ends in .py"
            ) from None
        raise CommandError(_failed(name, error)) from None
    except SystemExit as error:
        raise CommandError(
            f"{name} exits when it is imported (exit status {error.code!r}); "
            'put the code that it runs under `if __name__ == "__main__":`'
        ) from None
    except Exception as error:  # whatever a program raises is told in one line
        raise CommandError(_failed(name, error)) from None
    return module


def _failed(name: str, error: BaseException) -> str:
    """One line: what failed, and the last place in the program's own files."""
    text = " ".join(str(error).split()) or "no message"
    if isinstance(error, SyntaxError) and error.filename:
        return f"{name} cannot be imported: {error.filename}:{error.lineno}: SyntaxError: {error.msg}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if _is_own(frame.filename)]
    place = f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""
    return f"{name} cannot be imported: {place}{type(error).__name__}: {text}"


def _is_own(file: str) -> bool:
    """Whether a file is neither of Python, nor of an installed package, nor this one."""
    elsewhere = (sysconfig.get_path("stdlib"), sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))
    return not file.startswith(("<", *elsewhere)) and file != __file__
