"""The application: its commands, and how their errors end it.

Every module that `COMMANDS` names has a function ``register(add)`` that adds its commands.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import jaxtyping_core
from jaxtyping_core.cli.listing import ABOUT, COMMANDS, VERSION_HELP, documentation
from jaxtyping_core.cli.usage import PlainUsage
from jaxtyping_core.errors import CommandError, PromotionError, UnknownNameError

#: The exit status of each expected error: 1 is the answer "no", 2 a command that cannot be run.
STATUS: dict[type[Exception], int] = {PromotionError: 1, UnknownNameError: 2, CommandError: 2}
#: What keeps the lines of a paragraph of help as they are.
UNWRAPPED = "\b\n"


class Commands(TyperGroup):
    """A group of commands in the order of the alphabet, whose expected errors are one line without a traceback."""

    def list_commands(self, ctx: Any) -> list[str]:
        return sorted(super().list_commands(ctx))

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except tuple(STATUS) as error:
            typer.echo(f"jaxtyping-core: {error}", err=True)
            status = next(code for kind, code in STATUS.items() if isinstance(error, kind))
            raise typer.Exit(status) from None


app = typer.Typer(
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"jaxtyping-core {jaxtyping_core.__version__}")
        raise typer.Exit


@app.callback(help=ABOUT, epilog=UNWRAPPED + documentation())
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help=VERSION_HELP),
    ] = False,
) -> None:
    """Options of no command."""


def add(
    function: Callable[..., Any],
    settings: dict[str, Any] | None = None,
    cls: type[PlainUsage] = PlainUsage,
    options_metavar: str = "[OPTIONS]",
) -> None:
    """Add a command: its help is the summary in `COMMANDS`, the docstring of `function`, and the page about it."""
    name = function.__name__
    summary = COMMANDS[name].summary
    app.command(
        name,
        cls=cls,
        context_settings=settings,
        help=f"{summary}\n\n{inspect.getdoc(function)}",
        short_help=summary,
        options_metavar=options_metavar,
        epilog=UNWRAPPED + documentation(name),
    )(function)


for module in dict.fromkeys(command.module for command in COMMANDS.values()):
    importlib.import_module(f"jaxtyping_core.cli.{module}").register(add)
