"""The libraries that are known by name, from the table beside their overlays.

Every process reads it, whether it has JAX or not: nothing is imported for that.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_name("overlays") / "libraries.toml"


@dataclass(frozen=True, kw_only=True)
class Library:
    """What is said of a library before it is imported; the table says what the fields mean."""

    trusted: bool = False
    arrays: bool = False
    imports_jax: bool = False
    lasting: bool = False
    errors: tuple[str, ...] = ()
    x64: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)
    unneeded: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    surroundings: tuple[str, ...] = ()
    environ: Mapping[str, str] = field(default_factory=dict)


def _library(row: Mapping[str, Any]) -> Library:
    fields: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in row.items()
    }
    return Library(**fields)


#: The libraries, by the names under which they are imported.
LIBRARIES: Mapping[str, Library] = {
    name: _library(row) for name, row in tomllib.loads(FILE.read_text(encoding="utf-8")).items()
}


def names(flag: str) -> tuple[str, ...]:
    """The libraries of which a field of `Library` says something."""
    return tuple(name for name, library in LIBRARIES.items() if getattr(library, flag))
