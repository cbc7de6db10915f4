"""The command line: ``jaxtyping-core``."""

from __future__ import annotations

import os
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
    try:
        app()
    finally:
        _flush()


def _flush() -> None:
    """Write what is left to write; where the reader has gone away (``| head -1``), drop it without a word."""
    if sys.stdout is None or sys.stdout.closed:  # as `lsp` leaves it
        return
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        # The interpreter flushes once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _missing(module: str, arguments: Sequence[str]) -> int:
    command = next((argument for argument in arguments if not argument.startswith("-")), "")
    extra = EXTRAS.get(command, CLI)
    needs = f"jaxtyping-core: the command line needs {module}; pip install 'jaxtyping-core[{extra}]'"
    print(needs, file=sys.stderr)
    return 2
