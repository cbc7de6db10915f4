"""``jaxtyping-core verify``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from jaxtyping_core.checking.formats import FORMATS

#: The format for people.
TEXT = "text"


def register(add: Callable[..., None]) -> None:
    """Add the command."""
    add(verify)


def verify(
    modules: Annotated[
        list[str],
        typer.Argument(
            metavar="MODULE[:FUNCTION]...", help="Modules, as you import them, or paths to their files."
        ),
    ],
    show_all: Annotated[
        bool, typer.Option("--all", help="Print a line for every function, not only for wrong ones.")
    ] = False,
    form: Annotated[
        str, typer.Option("--format", metavar="|".join((TEXT, *FORMATS)), help="Output format.")
    ] = TEXT,
    recorded: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FACTS",
            help="A file of recorded calls. They are repeated for functions whose arguments cannot be made up.",
        ),
    ] = None,
    limit: Annotated[
        float, typer.Option("--time-limit", metavar="SECONDS", help="The time limit for each function.")
    ] = 20.0,
) -> None:
    """This command imports the modules, which runs their code, and calls their functions with made-up arrays.

    JAX traces each annotated function with symbolic sizes. If that proves the declared result, it holds for all sizes.
    Otherwise the function is tested with several sizes. A wrong function is reported with the smallest sizes that show
    the error.

    \b
    Exit status:
      0  no function is wrong
      1  some function is wrong
      2  a module could not be imported
    """
    from jaxtyping_core.verifying.report import run

    raise typer.Exit(run(modules, show_all, form, limit, recorded))
