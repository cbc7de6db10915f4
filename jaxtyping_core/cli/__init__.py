"""The command line: ``jaxtyping-core``."""

from __future__ import annotations

import sys
from collections.abc import Sequence

#: The extras of commands that need more than `CLI`, which they contain.
EXTRAS = {"annotate": "annotate", "check": "check", "lattice": "plot", "lsp": "lsp"}
CLI = "cli"


def main() -> None:
    """Run the command line; exit with status 2 and one line where its extra is not installed."""
    try:
        from jaxtyping_core.cli.app import app
    except ModuleNotFoundError as error:
        if error.name not in ("rich", "typer"):
            raise
        sys.exit(_missing(error.name, sys.argv[1:]))
    app()


def _missing(module: str, arguments: Sequence[str]) -> int:
    command = next((argument for argument in arguments if not argument.startswith("-")), "")
    extra = EXTRAS.get(command, CLI)
    needs = f"jaxtyping-core: the command line needs {module}; pip install 'jaxtyping-core[{extra}]'"
    print(needs, file=sys.stderr)
    return 2
