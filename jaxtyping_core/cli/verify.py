"""``jaxtyping-core verify``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from jaxtyping_core.checking.formats import TEXT
from jaxtyping_core.checking.records import FORMATS
from jaxtyping_core.cli.files import redirected
from jaxtyping_core.cli.options import OUTPUT, output_format

#: The time limit for a function.
SECONDS = 20.0


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
    form: Annotated[str, output_format((TEXT, *FORMATS))] = TEXT,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help=OUTPUT)] = None,
    recorded: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FACTS",
            help="A file of recorded calls. They are repeated for functions whose arguments cannot be made up.",
        ),
    ] = None,
    limit: Annotated[
        float,
        typer.Option(
            "--time-limit",
            metavar="SECONDS",
            help=f"The time limit for each function. [default: {SECONDS:g}]",
            show_default=False,
        ),
    ] = SECONDS,
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

    with redirected(output):
        status = run(modules, show_all, form, limit, recorded)
    raise typer.Exit(status)
