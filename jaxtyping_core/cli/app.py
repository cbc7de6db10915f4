"""The application: its commands, and how their errors end it.

Every module in `COMMANDS` has a function ``register(app)`` that adds its commands.
"""

from __future__ import annotations

import importlib
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import jaxtyping_core
from jaxtyping_core.errors import CommandError, PromotionError, UnknownNameError

COMMANDS = (
    "jaxtyping_core.cli.annotate",
    "jaxtyping_core.cli.check",
    "jaxtyping_core.cli.doctor",
    "jaxtyping_core.cli.explain",
    "jaxtyping_core.cli.lsp",
    "jaxtyping_core.cli.promotion",
    "jaxtyping_core.cli.record",
    "jaxtyping_core.cli.show",
    "jaxtyping_core.cli.stubs",
    "jaxtyping_core.cli.verify",
)

#: The exit status of each expected error: 1 is the answer "no", 2 a command that cannot be run.
STATUS: dict[type[Exception], int] = {PromotionError: 1, UnknownNameError: 2, CommandError: 2}


class OneLineErrors(TyperGroup):
    """A group of commands whose expected errors are one line without a traceback."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except tuple(STATUS) as error:
            typer.echo(f"jaxtyping-core: {error}", err=True)
            status = next(code for kind, code in STATUS.items() if isinstance(error, kind))
            raise typer.Exit(status) from None


app = typer.Typer(
    cls=OneLineErrors,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"jaxtyping-core {jaxtyping_core.__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit."),
    ] = False,
) -> None:
    """Static dtypes and shapes for JAX."""


for name in COMMANDS:
    importlib.import_module(name).register(app)
