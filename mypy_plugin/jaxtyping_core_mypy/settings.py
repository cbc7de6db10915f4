"""The plugin's configuration: ``[tool.jaxtyping_core]`` of the project's pyproject.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from mypy.errors import CompileError

from jaxtyping_core.errors import unknown


class Settings(NamedTuple):
    """How the checked program runs JAX."""

    #: ``jax_enable_x64``: whether 64-bit dtypes are on.
    x64: bool = False
    #: ``jax_numpy_dtype_promotion``: "standard" or "strict".
    promotion: str = "standard"


#: The accepted values of each key.
CHOICES: dict[str, tuple[Any, ...]] = {"x64": (False, True), "promotion": ("standard", "strict")}


def load(folder: Path) -> Settings:
    """The settings of the project that `folder` belongs to; the defaults where it has none.

    Raises:
        CompileError: a key or a value is not one of those above; mypy prints it and exits with status 2.
    """
    for directory in (folder, *folder.parents):
        file = directory / "pyproject.toml"
        table = _table(file)
        if table is not None:
            return _checked(table, file)
        if any((directory / root).exists() for root in (".git", ".hg")):
            break
    return Settings()


def _table(file: Path) -> dict[str, Any] | None:
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError:
        return None
    except ValueError as error:  # the defaults in place of what it says would be silently wrong
        _refuse(file, f"the file cannot be read: {error}")
    tool = document.get("tool")
    table = tool.get("jaxtyping_core") if isinstance(tool, dict) else None
    if not isinstance(table, dict | None):
        _refuse(file, f"must be a table, not {table!r}")
    return table


def _checked(table: dict[str, Any], file: Path) -> Settings:
    for key, value in table.items():
        if key not in CHOICES:
            _refuse(file, unknown("setting", key, CHOICES))
        # A comparison alone would take 1 for true.
        if not any(value == choice and type(value) is type(choice) for choice in CHOICES[key]):
            _refuse(file, unknown(f"value of {key}:", str(value), [str(c).lower() for c in CHOICES[key]]))
    return Settings(**table)


def _refuse(file: Path, problem: str) -> NoReturn:
    raise CompileError([f"{file}: [tool.jaxtyping_core]: {problem}"])
