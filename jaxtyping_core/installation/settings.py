"""What the configuration of a project says to the type checkers about JAX: the plugin, and 64-bit types."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from jaxtyping_core.reading import read_text

SWITCH = "JAX_ENABLE_X64"
PLUGIN = "jaxtyping_core.mypy"

Tables = Mapping[str, Any]


class Settings(NamedTuple):
    """What one configuration file says to some checkers."""

    checkers: tuple[str, ...]
    file: Path
    #: Whether 64-bit types are on; None where these checkers have no switch for it.
    x64: bool | None
    #: Whether the plugin is on; None for checkers other than mypy.
    plugin: bool | None = None
    #: Why the file cannot be read.
    problem: str | None = None


def read(folder: Path) -> list[Settings]:
    """The configuration files in `folder` that mention a checker: the one that each checker reads."""
    searches = (search(folder) for search in (_mypy, _pyright, _basedpyright))
    return [settings for files in searches if (settings := next(files, None))]


def _mypy(folder: Path) -> Iterator[Settings]:
    for name in ("mypy.ini", ".mypy.ini", "pyproject.toml", "setup.cfg"):
        parse, section = (_toml, "tool.mypy") if name.endswith(".toml") else (_ini, "mypy")
        yield from _read(folder / name, ("mypy", "zuban"), parse, section, _from_mypy)


def _pyright(folder: Path) -> Iterator[Settings]:
    yield from _read(folder / "pyrightconfig.json", ("pyright", "basedpyright"), _json, "", _from_pyright)
    yield from _read(folder / "pyproject.toml", ("pyright",), _toml, "tool.pyright", _from_pyright)


def _basedpyright(folder: Path) -> Iterator[Settings]:
    if not (folder / "pyrightconfig.json").exists():
        for section in ("tool.basedpyright", "tool.pyright"):
            yield from _read(folder / "pyproject.toml", ("basedpyright",), _toml, section, _from_pyright)


def _read(
    file: Path,
    checkers: tuple[str, ...],
    parse: Callable[[str], Tables],
    section: str,
    understand: Callable[[tuple[str, ...], Path, Tables], Settings],
) -> Iterator[Settings]:
    """What `file` says in `section`; nothing if it has no such file or section."""
    try:
        table: Any = parse(read_text(file))
        for key in filter(None, section.split(".")):
            table = table[key]
        yield understand(checkers, file, dict(table))
    except (FileNotFoundError, KeyError):
        return
    except (OSError, ValueError, TypeError, AttributeError, configparser.Error) as error:
        yield Settings(checkers, file, None, problem=" ".join(str(error).split()))


def _ini(text: str) -> Tables:
    parser = configparser.RawConfigParser()
    parser.read_string(text)
    return parser


def _toml(text: str) -> Tables:
    return tomllib.loads(text)


def _json(text: str) -> Tables:
    """Parse JSON as pyright does: with comments and commas before closing brackets."""
    text = re.sub(
        r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', lambda match: match[1] or "", text, flags=re.DOTALL
    )
    text = re.sub(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', lambda match: match[1] or "", text)
    tables: Tables = json.loads(text)
    return tables


def _from_mypy(checkers: tuple[str, ...], file: Path, table: Tables) -> Settings:
    return Settings(
        checkers, file, SWITCH in _listed(table, "always_true"), PLUGIN in _listed(table, "plugins")
    )


def _from_pyright(checkers: tuple[str, ...], file: Path, table: Tables) -> Settings:
    return Settings(checkers, file, bool(table.get("defineConstant", {}).get(SWITCH)))


def _listed(table: Tables, key: str) -> list[str]:
    """A list of mypy's configuration, which may be text."""
    value = table.get(key, [])
    return re.split(r"[,\s]+", value) if isinstance(value, str) else list(value)
