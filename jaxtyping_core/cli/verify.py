"""``jaxtyping-core verify``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from jaxtyping_core.checking.formats import FORMATS

#: The format for people.
TEXT = "text"


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(verify)


def verify(
    modules: Annotated[
        list[str],
        typer.Argument(
            metavar="MODULE[:FUNCTION]...", help="Modules as in `import`, or paths of their files."
        ),
    ],
    show_all: Annotated[
        bool, typer.Option("--all", help="A line for each function, also for those without mistakes.")
    ] = False,
    form: Annotated[
        str, typer.Option("--format", help=f"How mistakes are printed: {', '.join((TEXT, *FORMATS))}.")
    ] = TEXT,
    recorded: Annotated[
        Path | None,
        typer.Option(
            "--from",
            metavar="FACTS",
            help="What was recorded: calls that are made again of functions whose arguments cannot be made up.",
        ),
    ] = None,
    limit: Annotated[
        float, typer.Option("--time-limit", metavar="SECONDS", help="How long one function may take.")
    ] = 20.0,
) -> None:
    """Verify annotations of arrays: this imports the modules and calls their functions with made-up arrays.

    Each annotated function is traced by JAX with symbols for the sizes that it declares. What it returns is proven to
    be as declared for all sizes, or tested for some, or shown to be wrong with the smallest sizes for which it is.
    Exits with 1 if any is wrong, 2 if a module cannot be imported, else 0.
    """
    from jaxtyping_core.verifying.report import run

    raise typer.Exit(run(modules, show_all, form, limit, recorded))
