"""Whose code a file is: a program may stand in a folder called jax, too."""

from __future__ import annotations

import sys
from pathlib import Path


def is_of(file: str, packages: tuple[str, ...]) -> bool:
    """Whether a file belongs to one of some packages that are imported."""
    modules = (sys.modules.get(package) for package in packages)
    folders = (Path(module.__file__).parent for module in modules if module is not None and module.__file__)
    return any(Path(file).is_relative_to(folder) for folder in folders)
