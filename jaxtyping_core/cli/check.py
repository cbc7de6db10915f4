"""``jaxtyping-core check``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jaxtyping_core.checking import run_mypy


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": True})(check)


def check(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATHS] [MYPY OPTIONS]", help="What to check; the current folder if not given."
        ),
    ] = None,
    config_file: Annotated[
        Path | None,
        typer.Option("--config-file", help="mypy's configuration, if not the one mypy would find."),
    ] = None,
) -> None:
    """Check dtypes and shapes: run mypy with the plugin on, under your own mypy configuration.

    Options that are not listed here are mypy's own. Exits as mypy does: 0 clean, 1 errors found, 2 mypy
    could not run.
    """
    raise typer.Exit(run_mypy(paths or [], config_file))
