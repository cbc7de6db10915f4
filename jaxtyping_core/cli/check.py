"""``jaxtyping-core check``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from jaxtyping_core import trust
from jaxtyping_core.checking.formats import FORMATS
from jaxtyping_core.checking.run import TEXT, run_mypy
from jaxtyping_core.cli.options import CONFIG_FILE, REQUIRE_WALL, TRUST
from jaxtyping_core.programs.evaluate import require_wall


def register(add: Callable[..., None]) -> None:
    """Add the command."""
    settings = {"ignore_unknown_options": True, "allow_interspersed_args": True}
    add(check, settings, options_metavar="[OPTIONS] [MYPY OPTIONS]")


def check(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="Files and folders to check. [default: the current folder]"),
    ] = None,
    config_file: Annotated[
        Path | None,
        typer.Option("--config-file", metavar="FILE", help=CONFIG_FILE),
    ] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="|".join((TEXT, *FORMATS)), help="Output format.")
    ] = TEXT,
    mypy_types: Annotated[
        bool,
        typer.Option("--mypy-types", help="Spell array types as mypy does, not as float32[B, 3]."),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", hidden=True, help="The former name of --mypy-types.")
    ] = False,
    mypy: Annotated[
        bool, typer.Option("--mypy", help="Also print mypy's errors that are not about arrays.")
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
    """This command runs mypy with the jaxtyping_core plugin, under your own mypy configuration. It also evaluates
    programs that import JAX. It does not run them.

    Options that are not listed below go to mypy. For mypy's own --verbose, write -v. Errors that are not about arrays
    are only counted; --mypy prints them.

    \b
    Exit status:
      0  no error was printed
      1  errors were printed
      2  mypy could not run, or no program could be evaluated
    """
    if wall:
        require_wall(sys.executable)
    trust.add(trusted or [])
    raise typer.Exit(run_mypy(paths or [], config_file, form, mypy_types or verbose, mypy))
