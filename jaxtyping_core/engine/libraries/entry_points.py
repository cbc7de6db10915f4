"""Overlays that installed packages register, as entry points of one group: ``shoplib = "shoplib_overlay:OVERLAY"``."""

from __future__ import annotations

import configparser
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

#: The group of entry points; each has the name of a library, and says where the overlay is.
GROUP = "jaxtyping_core.overlays"

#: What the engine knows itself.
RESERVED = sys.stdlib_module_names | {"jax", "jaxlib", "numpy", "jaxtyping_core"}

_registered: dict[str, str] = {}


def find(folders: Iterable[str]) -> None:
    """Look for what is registered in folders of packages: before there is a wall, behind which they cannot be read.

    What is relative is left out: nothing in the folder of a project is a package.
    """
    for folder in filter(Path.is_absolute, map(Path, folders)):
        for file in sorted(folder.glob("*.dist-info/entry_points.txt")):
            for library, place in _rows(file).items():
                if library not in RESERVED:
                    _registered.setdefault(library, place)


def _rows(file: Path) -> Mapping[str, str]:
    try:
        text = file.read_text(encoding="utf-8")
        if GROUP not in text:  # as good as always
            return {}
        parser = configparser.ConfigParser(delimiters=("=",), interpolation=None)
        parser.optionxform = str  # type: ignore[assignment,method-assign]  # the documented way to keep capitals, which mypy refuses
        parser.read_string(text)
        return dict(parser[GROUP]) if GROUP in parser else {}
    except (OSError, ValueError, configparser.Error):
        return {}


def registered() -> Mapping[str, str]:
    """Where overlays are, by the names of the libraries."""
    return _registered


def modules() -> list[str]:
    """The packages that the overlays are in."""
    return sorted({place.partition(":")[0].partition(".")[0].strip() for place in _registered.values()})
