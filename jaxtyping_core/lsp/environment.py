"""Which Python a project has."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation.versions import jax_version
from jaxtyping_core.installation.environment import find_python

#: The folders in which projects have their environments.
NAMES = (".venv", "venv")
REMEDY = "install JAX there, or set jaxtyping-core.python to a Python or an environment that has it"


def python_of(folder: Path, named: str | None, trusted: bool) -> tuple[str | None, list[str]]:
    """The interpreter with the packages of a project, None for this one; and what the user should know of it.

    It is the one that the user named; otherwise the first one with JAX among the environment in the project's folder,
    if that is trusted, the one that is active, and this one.

    Raises:
        CommandError: it has no JAX, or is no Python.
    """
    if named:
        python = find_python(str(folder / named) if (folder / named).exists() else named)
        if jax_version(python) == "none":
            raise CommandError(f"{named} has no JAX, so arrays are unknown; {REMEDY}")
        return python, []
    active = os.environ.get("VIRTUAL_ENV")
    inside = [folder / name for name in NAMES if (folder / name).is_dir()]
    own = [path for path in inside if not _is_this(path) and not (active and _is_same(path, Path(active)))]
    unused = [] if trusted else [f"{path} is not used; {_consent(path)}" for path in own]
    for environment in [*(path for path in inside if trusted or path not in own), *_existing(active)]:
        python = find_python(str(environment))
        if jax_version(python) != "none":
            return (None, unused) if _is_this(environment) else (python, unused)
    if jax_version(sys.executable) == "none":
        remedy = _consent(own[0]) if unused else REMEDY
        raise CommandError(f"{sys.executable} has no JAX, so arrays are unknown; {remedy}")
    return None, unused


def _consent(environment: Path) -> str:
    """How the user has an environment in the folder used, which is code of the folder."""
    return f'to use it, which runs code of this folder, set jaxtyping-core.python to "{environment.name}"'


def _existing(active: str | None) -> list[Path]:
    return [Path(active)] if active and Path(active).is_dir() else []


def _is_this(environment: Path) -> bool:
    return _is_same(environment, Path(sys.prefix))


def _is_same(path: Path, other: Path) -> bool:
    return path.resolve() == other.resolve()
