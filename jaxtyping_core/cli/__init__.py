"""The command line: ``jaxtyping-core``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec

import jaxtyping_core
from jaxtyping_core.cli.listing import COMMANDS, plain

#: What the extra `cli` installs.
NEEDED = ("click", "rich")


def main() -> None:
    """Run the command line.

    Without the extra `cli` it lists its commands and shows its version. For any other command it exits with
    status 2 and one line that names the missing extra.
    """
    missing = next((name for name in NEEDED if find_spec(name) is None), None)
    if missing is not None:
        sys.exit(_without_extras(missing, sys.argv[1:]))
    # Only here: it needs the extra.
    from jaxtyping_core.cli.app import app

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
