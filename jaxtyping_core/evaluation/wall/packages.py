"""The packages that a child imports once its wall stands: where they are, and whether Python has to compile them each time.

A walled child cannot write what Python compiles. Installers other than pip leave that to the first import.
"""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from .environ import scrubbed

#: The argument by which a child learns the name of a package that it may import.
PACKAGE = "package="
#: Seconds that importing a few packages may take.
SECONDS = 120.0
#: Imports packages. One that fails raises again in the child, which says so; the others are compiled all the same.
IMPORTS = "import importlib, sys\nfor name in sys.argv[1:]:\n try: importlib.import_module(name)\n except Exception: pass"
_compiled: set[tuple[str, str]] = set()


def named_in(arguments: Iterable[str]) -> list[str]:
    """The packages that a child is told of."""
    return [argument.removeprefix(PACKAGE) for argument in arguments if argument.startswith(PACKAGE)]


def specs(names: Iterable[str]) -> Iterator[importlib.machinery.ModuleSpec]:
    """Where packages are that are installed; nothing of them is imported."""
    for name in names:
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError, AttributeError):
            continue
        if spec is not None:
            yield spec


def folders(installed: Iterable[importlib.machinery.ModuleSpec]) -> list[str]:
    """The folders and files that have the packages."""
    paths: list[str] = []
    for spec in installed:
        paths += spec.submodule_search_locations or ([spec.origin] if spec.origin else [])
    return paths


def uncompiled(installed: Iterable[importlib.machinery.ModuleSpec]) -> list[str]:
    """The packages that Python would compile when they are imported, and could keep so."""
    return [
        spec.name
        for spec in installed
        if spec.cached
        and spec.origin
        and not Path(spec.cached).exists()
        and os.access(Path(spec.origin).parent, os.W_OK)
    ]


def compile_once(python: str, names: Sequence[str]) -> None:
    """Have an interpreter import packages, and keep what it compiles, before walled children import them again and again."""
    names = [name for name in names if (python, name) not in _compiled and name.isidentifier()]
    if not names:
        return
    _compiled.update((python, name) for name in names)
    try:
        subprocess.run(
            [python, "-E", "-P", "-c", IMPORTS, *names],
            env=scrubbed(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return
