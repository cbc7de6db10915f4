"""``jaxtyping-core check``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from jaxtyping_core import trust
from jaxtyping_core.checking.formats import FORMATS
from jaxtyping_core.checking.run import TEXT, run_mypy
from jaxtyping_core.cli.options import REQUIRE_WALL, TRUST
from jaxtyping_core.programs.evaluate import require_wall


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
    form: Annotated[
        str, typer.Option("--format", help=f"How messages are printed: {', '.join((TEXT, *FORMATS))}.")
    ] = TEXT,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Types as mypy writes them, not float32[B, 3].")
    ] = False,
    mypy: Annotated[
        bool, typer.Option("--mypy", help="Show mypy's errors that are not about arrays as well.")
    ] = False,
    wall: Annotated[
        bool,
        typer.Option("--require-wall", help=REQUIRE_WALL),
    ] = False,
    trusted: Annotated[
        list[str] | None,
        typer.Option("--trust", metavar="PACKAGE", help=TRUST),
    ] = None,
) -> None:
    """Check dtypes and shapes: run mypy with the plugin on, under your own mypy configuration.

    Options that are not listed here are mypy's own, -v for its --verbose among them. Errors of mypy's that are not about
    arrays are counted, and shown with --mypy. Exits with 0 if no error is shown, 1 if some are, 2 if mypy could not run or
    no program could be evaluated.
    """
    if wall:
        require_wall(sys.executable)
    trust.add(trusted or [])
    raise typer.Exit(run_mypy(paths or [], config_file, form, verbose, mypy))
