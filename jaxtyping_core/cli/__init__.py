"""The command line: ``jaxtyping-core``."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; exit with status 2 and one line where its extra is not installed."""
    try:
        from jaxtyping_core.cli.app import app
    except ModuleNotFoundError as error:
        if error.name not in ("rich", "typer"):
            raise
        sys.exit(_missing(error.name))
    app()


def _missing(module: str) -> int:
    print(
        f"jaxtyping-core: the command line needs {module}; pip install 'jaxtyping-core[cli]'", file=sys.stderr
    )
    return 2
