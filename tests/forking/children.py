"""The nursery of the evaluation children: ``python -E -P children.py ADDRESS NURSERIES``.

It has imported what a child imports before it reads a program, and nothing else: a fork has no module that a child has not.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHILD = HERE.parents[1] / "jaxtyping_core" / "evaluation" / "child"
#: What a child imports for its first program, which changes nothing that a program could see.
MODULES = ("evaluation.child.serve", "sampling.queries", "engine.session")


def main() -> None:
    """Import what children import, and fork."""
    spec = importlib.util.spec_from_file_location("child_main", CHILD / "__main__.py")
    assert spec is not None
    assert spec.loader is not None
    entry = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(entry)
    package = entry.declared(CHILD.parent)
    importlib.import_module(f"{package}.child.serve").start()
    for module in MODULES:
        importlib.import_module(f"{entry.PACKAGE}.{module}")
    sys.path.append(str(HERE))
    nursery = importlib.import_module("nursery")
    sys.path.pop()
    nursery.serve(sys.argv[1], lambda arguments: entry.main())


if __name__ == "__main__":
    main()
