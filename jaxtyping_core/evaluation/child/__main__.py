"""Runs the child: ``python -E -P <this folder>``."""

import importlib
import sys
import types
from pathlib import Path

#: The name of this package, ``jaxtyping_core``, in the child. The interpreter may have another version of it, and a program
#: may import that; nothing of ``__init__`` runs. So what the child shares with other modules imports by relative names.
PACKAGE = "jaxtyping_core_child"


def main() -> None:
    folder = Path(__file__).resolve().parent
    # Python puts the folder that it runs first on the path, even with -P: no module of ours may stand before
    # one that JAX imports.
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != folder]
    package = types.ModuleType(PACKAGE)
    package.__path__ = [str(folder.parents[1])]
    sys.modules[PACKAGE] = package
    importlib.import_module(f"{PACKAGE}.evaluation.child.serve").main()


if __name__ == "__main__":
    main()
