"""Writes the stubs for the installed JAX into a folder of the user's."""

from __future__ import annotations

import importlib.metadata
import json
import os
import subprocess
import sys
from pathlib import Path

from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation.support import oldest_jax, release

#: The name of a stub package (PEP 561). mypy and pyright know it in the environment, the others on their paths too.
PACKAGE = "jax-stubs"
#: Settings of JAX change its answers; the stubs describe it without them.
SETTINGS = "JAX_"

GENERATE = """\
import json, sys
from jaxtyping_core_stubs.package import package
print("\\0" + json.dumps(package(x64=sys.argv[1] == "x64")))
"""


def write_stubs(folder: Path, x64: bool) -> Path:
    """Write the stub package for the installed JAX into `folder`, in place of one written earlier.

    Returns:
        Where the package is.

    Raises:
        CommandError: there is no JAX that the generator knows, or `folder` cannot be written, or what is
            there was not written by this command. What was in `folder` is then as it was.
    """
    from jaxtyping_core_stubs import files

    target = folder / PACKAGE
    installed_jax()
    check_target(target)
    stubs = {"py.typed": "partial\n", **generate(x64)}
    try:
        files.replace_folder(target, stubs)
    except OSError as error:
        raise CommandError(f"cannot write {str(target)!r}: {error.strerror}") from error
    return target


def installed_jax() -> str:
    """The version of the installed JAX.

    Raises:
        CommandError: there is none, or one that is too old to describe.
    """
    try:
        version = importlib.metadata.version("jax")
    except importlib.metadata.PackageNotFoundError:
        raise CommandError(
            f"JAX is not installed for {sys.executable}, so there is nothing to describe;"
            f" pip install 'jax>={oldest_jax()}'"
        ) from None
    if release(version) < release(oldest_jax()):
        raise CommandError(
            f"JAX {version} is too old; the oldest supported JAX is {oldest_jax()};"
            f" pip install 'jax>={oldest_jax()}'"
        )
    return version


def check_target(target: Path) -> None:
    """Refuse a place that the stubs must not be written to.

    Raises:
        CommandError: something else is there, or the folder cannot be written.
    """
    from jaxtyping_core_stubs import files

    for path in (target, *target.parents):
        if path.exists() and not path.is_dir():
            raise CommandError(f"cannot write {str(target)!r}: {str(path)!r} is a file; name another folder")
    if others := files.foreign(target):
        raise CommandError(
            f"{str(others[0])!r} was not written by this command, so nothing was changed;"
            f" move {str(target)!r} away, or name another folder"
        )
    parent = next(path for path in target.absolute().parents if path.exists())
    if not os.access(parent, os.W_OK | os.X_OK):
        raise CommandError(f"cannot write {str(target)!r}: no permission to write in {str(parent)!r}")


def generate(x64: bool) -> dict[str, str]:
    """The text of every stub of the installed JAX, by its path in the package.

    Raises:
        CommandError: the generator fails.
    """
    environment = {key: value for key, value in os.environ.items() if not key.startswith(SETTINGS)}
    # -P: a file of the user's project called jax.py or the like must not be imported.
    done = subprocess.run(
        [sys.executable, "-P", "-c", GENERATE, "x64" if x64 else "x32"],
        capture_output=True,
        text=True,
        check=False,
        env={**environment, "JAX_PLATFORMS": "cpu"},
    )
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"])[-1]
        raise CommandError(f"cannot write stubs for JAX {importlib.metadata.version('jax')}: {reason}")
    stubs: dict[str, str] = json.loads(done.stdout.rpartition("\0")[2])
    return stubs
