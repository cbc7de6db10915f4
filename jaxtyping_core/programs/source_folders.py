"""The folders of source that a project's `pyproject.toml` names: those of its packages, and the members of its workspace."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from jaxtyping_core import libraries, reading
from jaxtyping_core.programs.console_scripts import FILE

#: Bytes of such a file, and members of a workspace.
MOST_BYTES = 256_000
MOST_MEMBERS = 64
#: Where tables of `pyproject.toml` name such folders: builders of packages, type checkers, and libraries.
LISTS = (
    ("tool", "setuptools", "packages", "find", "where"),
    ("tool", "pyright", "extraPaths"),
    *(tuple(name.split(".")) for row in libraries.LIBRARIES.values() for name in row.sources),
)


def declared(project: Path) -> list[Path]:
    """The folders that the file of a project declares, and those of the workspace that it is in, below these projects."""
    top = _workspace_of(project)
    named = [(project, _named(project, _table(project)))]
    if top is not None:
        named += [(member, _of_member(member)) for member in _members(top)]
    folders = [each for inside, names in named for each in names if _is_below(each, inside)]
    return [folder for folder in dict.fromkeys(folders) if folder.is_dir()]


def _of_member(member: Path) -> list[Path]:
    return [*_named(member, _table(member)), member / "src", member]


def _named(project: Path, table: dict[str, Any]) -> list[Path]:
    """The folders that a file names, whether they are there or not."""
    names: list[Any] = [name for keys in LISTS for name in _list(_at(table, keys))]
    names += _list([_at(table, ("tool", "setuptools", "package-dir", ""))])
    names += [
        each.get("from")
        for each in _list(_at(table, ("tool", "poetry", "packages")))
        if isinstance(each, dict)
    ]
    wheels = _list(_at(table, ("tool", "hatch", "build", "targets", "wheel", "packages")))
    names += [str(Path(wheel).parent) for wheel in wheels if isinstance(wheel, str)]
    return [project / name for name in names if isinstance(name, str)]


def _workspace_of(project: Path) -> Path | None:
    """The project whose workspace a project is in, or is; None if it is in none."""
    for folder in (project, *project.parents):
        if (folder / FILE).is_file() and _patterns(folder, "members"):
            return folder if folder == project or project in _members(folder) else None
        if (folder / ".git").exists():
            return None
    return None


def _members(top: Path) -> list[Path]:
    """The projects of a workspace, as uv finds them."""
    left_out = {*_matching(top, _patterns(top, "exclude"))}
    members = (each for each in _matching(top, _patterns(top, "members")) if each not in left_out)
    return [*islice((each for each in members if (each / FILE).is_file()), MOST_MEMBERS)]


def _patterns(top: Path, key: str) -> list[str]:
    listed = _list(_at(_table(top), ("tool", "uv", "workspace", key)))
    return [each for each in listed if isinstance(each, str) and not Path(each).is_absolute()]


def _matching(top: Path, patterns: Iterable[str]) -> Iterator[Path]:
    for pattern in patterns:
        try:
            yield from sorted(
                each for each in islice(top.glob(pattern), 4 * MOST_MEMBERS) if _is_below(each, top)
            )
        # `pathlib` refuses some texts, such as an empty one, and some systems refuse to list a folder: there is no member then.
        except (ValueError, NotImplementedError, OSError):
            continue


def _table(project: Path) -> dict[str, Any]:
    """What the file of a project says; nothing if there is none, or it is not valid."""
    file = project / FILE
    try:
        return tomllib.loads(reading.read_bytes(file, MOST_BYTES).decode()) if file.is_file() else {}
    except (OSError, ValueError, RecursionError):
        return {}


def _at(table: Any, keys: Iterable[str]) -> Any:
    for key in keys:
        table = table.get(key) if isinstance(table, dict) else None
    return table


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if isinstance(value, str) else []


def _is_below(folder: Path, top: Path) -> bool:
    return folder.resolve().is_relative_to(top.resolve())
