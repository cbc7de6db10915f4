"""What is installed for a Python: JAX, this project, and the stubs for JAX."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from jaxtyping_core.errors import CommandError

REPORT = Path(__file__).with_name("report.py")
SECONDS = 60.0


class Environment(NamedTuple):
    """A Python and what is installed for it."""

    python: str
    version: str
    #: The folder that packages are installed into.
    site: Path
    #: The versions of JAX and of this project; None if not installed.
    jax: str | None
    ours: str | None
    #: The stub packages for JAX, in the order in which they are found.
    stubs: list[Path]
    #: The distributions with files in a stub package, and which of these files have changed since.
    owners: dict[str, list[str]]


def examine(python: str) -> Environment:
    """What is installed for `python`: a command, or the folder of a virtual environment.

    Raises:
        CommandError: it is not a Python, or does not answer.
    """
    command = find_python(python)
    try:
        with tempfile.TemporaryDirectory(prefix="jaxtyping-core-") as folder:
            done = subprocess.run(
                [command, "-"],
                input=REPORT.read_text(encoding="utf-8"),
                cwd=folder,  # "-" puts the current folder on the path
                capture_output=True,
                text=True,
                timeout=SECONDS,
                check=True,
            )
        answer = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise CommandError(f"{command} did not answer within {SECONDS:.0f} seconds") from None
    except subprocess.CalledProcessError as error:
        reason = (error.stderr.strip().splitlines() or [f"status {error.returncode}"])[-1]
        raise CommandError(f"{command} is not a working Python: {reason}") from None
    except (OSError, ValueError) as error:
        raise CommandError(f"{command} is not a working Python: {error}") from None
    stubs = [Path(path) for path in answer.pop("stubs")]
    return Environment(command, site=Path(answer.pop("site")), stubs=stubs, **answer)


def find_python(python: str) -> str:
    """The path of a Python.

    Raises:
        CommandError: there is none.
    """
    for path in pythons_in(Path(python)) if Path(python).is_dir() else ():
        if path.exists():
            return str(path.absolute())
    executable = shutil.which(python)
    if executable is None:
        raise CommandError(
            f"there is no Python {python!r}; give the path of one, or of a virtual environment"
        )
    return str(Path(executable).absolute())


def pythons_in(environment: Path) -> list[Path]:
    """Where an environment has its Python, one place for each operating system."""
    return [
        environment / "bin" / "python",
        environment / "Scripts" / "python.exe",
        environment / "python.exe",
    ]
