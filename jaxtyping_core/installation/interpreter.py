"""Which Python a project has."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation.versions import jax_version
from jaxtyping_core.installation.environment import find_python, pythons_in
from jaxtyping_core.telling import tell

#: The folders in which projects have their environments.
NAMES = (".venv", "venv")
#: The variables that name the active environment: that of venv, uv and virtualenv, and that of conda.
ACTIVE = ("VIRTUAL_ENV", "CONDA_PREFIX")


class Way(NamedTuple):
    """How the user names an environment: one inside the folder, and any other where there is no JAX."""

    inside: str
    other: str


ON_COMMAND_LINE = Way("pass --python {}", "run pip install jax, or name another Python with --python")
IN_EDITOR = Way(
    'set jaxtyping-core.python to "{}"',
    "install JAX there, or set jaxtyping-core.python to a Python or an environment that has it",
)


def of_command_line(named: str | None) -> str | None:
    """The interpreter of a command in the current folder, None for this one; the user is told of another one that it may have.

    Args:
        named: what the user passed as ``--python``; None for nothing.

    Raises:
        CommandError: it is no Python, or nothing was named and none has JAX.
    """
    if named:
        return find_python(named)
    python, notes = python_of(Path.cwd(), None)
    for note in notes:
        tell(note)
    return python


def environments(folder: Path) -> tuple[str, list[str]]:
    """The interpreter that commands use in a folder, and what the user should know of others."""
    try:
        python, notes = python_of(folder, None)
    except CommandError:  # none has JAX
        return sys.executable, []
    return python or sys.executable, notes


def python_of(
    folder: Path, named: str | None, trusted: bool = False, by: Way = ON_COMMAND_LINE
) -> tuple[str | None, list[str]]:
    """The interpreter with the packages of a project, None for this one; and what the user should know of it.

    It is the one that the user named; otherwise the first one with JAX among the environment in the project's folder,
    if that is trusted, the one that is active, and this one.

    Args:
        folder: the folder of the project.
        named: what the user named; None for nothing.
        trusted: whether code of the folder may run: the interpreter of an environment in it is such code.
        by: how the user names an environment.

    Raises:
        CommandError: it has no JAX, or is no Python.
    """
    if named:
        python = find_python(str(folder / named) if (folder / named).exists() else named)
        if jax_version(python) == "none":
            raise CommandError(f"{named} has no JAX; {by.other}")
        return python, []
    active = next(filter(None, map(os.environ.get, ACTIVE)), None)
    inside = [folder / name for name in NAMES if (folder / name).is_dir()]
    own = [path for path in inside if not _is_this(path) and not (active and _is_same(path, Path(active)))]
    unused = [] if trusted else [f"{path} is not used; {_consent(path, by)}" for path in own]
    for environment in [*(path for path in inside if trusted or path not in own), *_existing(active)]:
        python = find_python(str(environment))
        if jax_version(python) != "none":
            return (None, unused) if _is_this(environment) else (python, unused)
    if jax_version(sys.executable) == "none":
        remedy = _consent(own[0], by) if unused else by.other
        raise CommandError(f"{sys.executable} has no JAX; {remedy}")
    return None, unused


def _consent(environment: Path, by: Way) -> str:
    """How the user has an environment in the folder used, which is code of the folder."""
    return f"to use it, which runs code of this folder, {by.inside.format(environment.name)}"


def _existing(active: str | None) -> list[Path]:
    """The active environment, if it is there: a variable may name one that is gone."""
    return [Path(active)] if active and any(map(Path.exists, pythons_in(Path(active)))) else []


def _is_this(environment: Path) -> bool:
    return _is_same(environment, Path(sys.prefix))


def _is_same(path: Path, other: Path) -> bool:
    return path.resolve() == other.resolve()
