"""The package that the child belongs to, ``jaxtyping_core``, for what it shares with it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

NAME = "jaxtyping_core"


def module(name: str) -> Any:
    """A module of the package: ``module("numpy")`` is ``jaxtyping_core.numpy``.

    It is always that of the checker's own version: the interpreter need not have the package, or may have another one.

    Raises:
        ImportError: the interpreter lacks what the package needs.
    """
    if NAME not in sys.modules:
        _load(Path(__file__).resolve().parents[1])
    return importlib.import_module(f"{NAME}.{name}")


def _load(folder: Path) -> None:
    spec = importlib.util.spec_from_file_location(
        NAME, folder / "__init__.py", submodule_search_locations=[str(folder)]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"{folder} is no package")
    made = sys.modules[NAME] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(made)
    except BaseException:
        del sys.modules[NAME]
        raise
