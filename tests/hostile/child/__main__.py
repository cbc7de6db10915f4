"""An evaluation child with a line of its defence taken away, so that the others are seen to hold alone.

It is started as ``python -E -P <this folder> WORDS``, and serves as the real one does. The words:

- ``no-gate``: the interpreter lets the program see and call everything, as if it knew no rule;
- ``for-real``: the program is no longer walked, but executed by Python, as if the interpreter had been overcome;
- ``no-hook``: the audit hook is not installed;
- ``no-wall``: the process keeps all its rights.
"""

import importlib
import runpy
import sys
import types
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parents[2] / "jaxtyping_core" / "evaluation"


def main() -> None:
    words = {word for word in sys.argv[1:] if word in ("no-gate", "for-real", "no-hook", "no-wall")}
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != HERE]
    package = runpy.run_path(str(FOLDER / "child" / "__main__.py"))["declared"](FOLDER)
    serve = importlib.import_module(f"{package}.child.serve")
    # Read before the wall stands, for it lets nothing of the tests be read.
    for name in ("changes", "opening"):
        loaded = types.ModuleType(name)
        exec(compile((HERE / f"{name}.py").read_text(), f"{name}.py", "exec"), loaded.__dict__)  # noqa: S102
        sys.modules[name] = loaded
    sys.modules["opening"].take_away(words)
    serve.main()


if __name__ == "__main__":
    main()
