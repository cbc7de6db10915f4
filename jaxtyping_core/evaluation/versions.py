"""What answers depend on besides the program: what is installed for a Python, and the sources of the child."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import subprocess
import sys
from pathlib import Path

SECONDS = 60.0
#: How folders with the metadata of a package end; their names begin with its name and version.
METADATA = (".dist-info", ".egg-info")
#: The folders of the package that the child imports from, beside the modules of the package.
OF_CHILD = (
    *("domain", "numpy", "systems", "contracts", "_annotations", "sampling", "engine", "overlays"),
    "evaluation",
)


@functools.cache
def search_path(python: str) -> tuple[str, ...]:
    """The folders that the child under `python` imports from; none if it does not say."""
    if python == sys.executable:
        return tuple(sys.path)
    command = [python, "-E", "-P", "-c", "import json, sys; print(json.dumps(sys.path))"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=True)
        return tuple(map(str, json.loads(done.stdout)))
    except (OSError, ValueError, TypeError, subprocess.SubprocessError):
        return ()


def jax_version(python: str) -> str:
    """The version of JAX among the packages of an interpreter; "none" where it has none."""
    for folder in map(Path, search_path(python)):
        for path in folder.glob("jax-*.dist-info"):
            return path.name.removeprefix("jax-").removesuffix(".dist-info")
    import importlib.metadata  # which takes long, and knows older ways to install a package, too

    distributions = importlib.metadata.distributions(name="jax", path=list(search_path(python)))
    return next((distribution.version for distribution in distributions), "none")


@functools.cache
def packages_digest(python: str) -> str:
    """A digest of all packages of an interpreter and their versions: any of them may answer for a program."""
    digest = hashlib.sha256()
    for folder in map(Path, search_path(python)):
        with contextlib.suppress(OSError):  # a zip file, or nothing at all
            names = sorted(path.name for path in folder.iterdir() if path.name.endswith(METADATA))
            if names:  # the folder that Python was started in has none, and says nothing of the packages
                digest.update(repr([folder.parent.name, *names]).encode())  # such as python3.12
    return digest.hexdigest()


@functools.cache
def own_digest() -> str:
    """A digest of this package, as far as answers depend on it."""
    return sources_digest(Path(__file__).parents[1])


def sources_digest(package: Path) -> str:
    """A digest of the child, and of what it takes from other folders."""
    folders = [package / folder for folder in OF_CHILD]
    digest = hashlib.sha256()
    for path in sorted(
        [*package.glob("*.py"), *(path for folder in folders for path in folder.rglob("*.py"))]
    ):
        digest.update(path.read_bytes())
    return digest.hexdigest()
