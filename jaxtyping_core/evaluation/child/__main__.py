"""Runs the child: ``python -E -P <this folder>``."""

import importlib
import sys
import types
from pathlib import Path

#: What the folder above is called as a package where this runs, under an interpreter that need not have its parents.
PACKAGE = "jaxtyping_core_evaluation"


def main() -> None:
    folder = Path(__file__).resolve().parent
    # Python puts the folder that it runs first on the path, even with -P: no module of ours may stand before
    # one that JAX imports.
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != folder]
    package = types.ModuleType(PACKAGE)
    package.__path__ = [str(folder.parent)]
    sys.modules[PACKAGE] = package
    importlib.import_module(f"{PACKAGE}.{folder.name}.serve").main()


if __name__ == "__main__":
    main()
