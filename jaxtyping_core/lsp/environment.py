"""Which Python a project has."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation.versions import jax_version
from jaxtyping_core.installation.environment import examine, find_python

#: The folders in which projects have their environments.
NAMES = (".venv", "venv")
REMEDY = "pip install jax there, or set jaxtyping-core.python to a Python, or an environment, that has it"


def python_of(folder: Path, named: str | None) -> str | None:
    """The interpreter with the packages of a project; None for this one.

    It is the one that the user named; otherwise the first one with JAX among the environment in the project's folder,
    the one that is active, and this one.

    Raises:
        CommandError: it has no JAX, or is no Python.
    """
    if named:
        python = find_python(str(folder / named) if (folder / named).exists() else named)
        if jax_version(python) == "none":
            raise CommandError(f"{named} has no JAX, so nothing is known of arrays; {REMEDY}")
        return python
    for environment in _environments(folder):
        if environment.is_dir():
            python = find_python(str(environment))
            if jax_version(python) != "none":
                return None if _is_this(environment) else python
    if jax_version(sys.executable) == "none":
        raise CommandError(f"{sys.executable} has no JAX, so nothing is known of arrays; {REMEDY}")
    return None


def without_stubs(python: str) -> str | None:
    """What to say of an interpreter whose packages have no stubs for JAX; None if they have.

    Raises:
        CommandError: it does not run.
    """
    if examine(python).stubs:
        return None
    return f"{python} has no stubs for JAX, so mypy knows little of arrays; pip install jaxtyping-core there"


def _environments(folder: Path) -> Iterator[Path]:
    yield from (folder / name for name in NAMES)
    active = os.environ.get("VIRTUAL_ENV")
    if active:
        yield Path(active)


def _is_this(environment: Path) -> bool:
    return environment.resolve() == Path(sys.prefix).resolve()
