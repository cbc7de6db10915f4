"""The command line: ``jaxtyping-core``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import jaxtyping_core
from jaxtyping_core.cli.listing import COMMANDS, plain


def main() -> None:
    """Run the command line.

    Without the extra `cli` it lists its commands and shows its version. For any other command it exits with
    status 2 and one line that names the missing extra.
    """
    try:
        from jaxtyping_core.cli.app import app
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("rich", "typer"):
            raise
        sys.exit(_without_extras(missing, sys.argv[1:]))
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


def _without_extras(module: str, arguments: Sequence[str]) -> int:
    """Answer what needs no extra; the exit status."""
    first = arguments[0] if arguments else "--help"
    if first == "--version":
        print(f"jaxtyping-core {jaxtyping_core.__version__}")
        return 0
    if first == "--help":
        print("\n".join(plain()))
        return 0 if arguments else 2  # as with the extra
    if first in COMMANDS:
        needs, extra = f"`jaxtyping-core {first}` needs {module}", COMMANDS[first].extra
    else:
        needs, extra = f"the command line needs {module}", "cli"
    print(f"jaxtyping-core: {needs}; pip install 'jaxtyping-core[{extra}]'", file=sys.stderr)
    return 2
