"""Runs the child: ``python -E -P <this folder>``."""

import importlib
import sys
import types
from pathlib import Path

#: What ``jaxtyping_core`` is called where this runs, under an interpreter that need not have what the package imports.
PACKAGE = "jaxtyping_core_child"


def main() -> None:
    folder = Path(__file__).resolve().parent
    # Python puts the folder that it runs first on the path, even with -P: no module of ours may stand before
    # one that JAX imports.
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != folder]
    importlib.import_module(f"{declared(folder.parent)}.{folder.name}.serve").main()


def declared(evaluation: Path) -> str:
    """Make packages of a folder and the one around it, without running their ``__init__.py``; the name of the inner one."""
    name = f"{PACKAGE}.{evaluation.name}"
    for package, folder in ((PACKAGE, evaluation.parent), (name, evaluation)):
        module = sys.modules[package] = types.ModuleType(package)
        module.__path__ = [str(folder)]
    return name


if __name__ == "__main__":
    main()
