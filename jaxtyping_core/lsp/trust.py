"""What a folder of the workspace names to be run, and what of it is left out unless the user trusts the folder.

Opening a folder must run nothing that is in it, and write nothing where the folder says. mypy's configuration may name plugins and an interpreter, our own
settings packages to import, and an environment in the folder is code of the folder. What is installed beside the server
is the user's own; of that a configuration may choose plugins of mypy, but no module that was not made to be one: importing
`unittest.__main__` runs the tests of the folder.
"""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from typing import NamedTuple

from mypy.config_parser import parse_config_file
from mypy.options import Options

from jaxtyping_core import reading
from jaxtyping_core.checking.configuration import PLUGIN
from jaxtyping_core.settings import Settings

#: The function of a plugin that mypy calls, unless the configuration names another.
ENTRY = "plugin"
EVALUATE = 'set jaxtyping-core.trust to "evaluate" if you trust its programs'
REMEDY = 'to let code of this folder run, set jaxtyping-core.trust to "yes"'


class Named(NamedTuple):
    """What a configuration of mypy's names."""

    #: Another interpreter than this one.
    python: str | None
    plugins: list[str]
    #: Options that are left out already: files to write, folders and the like.
    options: Sequence[str] = ()


class Granted(NamedTuple):
    """What is run of it: `plugins`, and the interpreter only if `python`; `refused` is told to the user."""

    python: bool
    plugins: list[str]
    refused: list[str]


def named_in(config: Path, python: str | None) -> Named:
    """What mypy will find in a file of its configuration, if it is told of this interpreter."""
    options, silent = Options(), io.StringIO()
    parse_config_file(options, lambda: None, str(config), stdout=silent, stderr=silent)
    other = options.python_executable if python is None else None
    is_own = other is not None and Path(other).absolute() == Path(sys.executable).absolute()
    return Named(None if is_own else other, options.plugins)


def granted(named: Named, settings: Settings, folder: Path, trusted: bool) -> Granted:
    """What may be run for a folder."""
    if trusted:
        return Granted(True, named.plugins, [])
    plugins = [name for name in named.plugins if is_plugin(name, folder)]
    return Granted(named.python is None, plugins, [*_refused(named, plugins, settings)])


def _refused(named: Named, plugins: Sequence[str], settings: Settings) -> Iterator[str]:
    left_out = [name for name in named.plugins if name not in plugins]
    if left_out:
        yield f"mypy runs without the plugins {', '.join(left_out)} of its configuration; {REMEDY}"
    if named.python is not None:
        yield (
            f"{named.python}, which mypy's configuration names, is not run; {REMEDY}, "
            "or set jaxtyping-core.python"
        )
    if named.options:
        yield f"{', '.join(named.options)} of mypy's configuration are ignored; {REMEDY}"
    if settings.ignored:
        yield f"{', '.join(settings.ignored)}, which the project trusts, is not evaluated; {REMEDY}"


def is_plugin(name: str, folder: Path) -> bool:
    """Whether a name means a plugin that is installed for this Python, and no file of the folder; nothing is imported for it."""
    module, _, entry = name.partition(":")
    if module == PLUGIN:
        return True
    source = _source_of(module)
    if source is None or entry not in ("", ENTRY) or _is_in(source, folder):
        return False
    try:
        tree = ast.parse(reading.read_bytes(source))
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(ENTRY in _bound(node) for node in tree.body)


def _source_of(module: str) -> Path | None:
    """The file of a module on the path of this process."""
    spec, folders = None, None
    for part in module.split("."):
        spec = PathFinder.find_spec(part, folders) if part.isidentifier() else None
        if spec is None:
            return None
        folders = spec.submodule_search_locations
    if spec is None or spec.origin is None:
        return None
    origin = Path(spec.origin)
    source = origin.with_name(f"{origin.name.partition('.')[0]}.py")  # a compiled one has it beside it
    return source if source.is_file() else None


def _is_in(source: Path, folder: Path) -> bool:
    """Whether a file is one of the folder, and not of the environment that the server was started from."""
    resolved = source.resolve()
    return resolved.is_relative_to(folder.resolve()) and not resolved.is_relative_to(
        Path(sys.prefix).resolve()
    )


def _bound(node: ast.stmt) -> list[str]:
    """The names that a statement gives a module."""
    match node:
        case ast.FunctionDef(name=name):
            return [name]
        case ast.ImportFrom(names=names):
            return [alias.asname or alias.name for alias in names]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
    return []
