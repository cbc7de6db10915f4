"""Commands as data: a function, and the arguments and options that are passed to it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import click

from jaxtyping_core.cli.listing import COMMANDS, documentation

#: What keeps the lines of a paragraph of help as they are.
UNWRAPPED = "\b\n"


class Argument(click.Argument):
    """An argument that has a help."""

    def __init__(self, *names: str, help: str, **attributes: Any) -> None:
        super().__init__(names, **attributes)
        self.words = help

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        return str(self.metavar), self.words


class Command(click.Command):
    """A command whose help has its arguments above its options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            parameters = [each for each in self.get_params(ctx) if each.param_type_name == kind]
            rows = [record for each in parameters if (record := each.get_help_record(ctx))]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)

    def format_arguments(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Nothing: click 8.5 writes arguments here, and earlier ones nowhere."""


def command(
    *parameters: click.Parameter,
    cls: type[Command] = Command,
    usage: str = "[OPTIONS]",
    **settings: Any,
) -> Callable[[Callable[..., None]], Command]:
    """Make a command of a function, which is called with its parameters by their names.

    The help is the summary in `COMMANDS`, the docstring of the function, and the page about it.

    Args:
        parameters: the arguments and options, in the order of the help.
        cls: the class of the command.
        usage: what the line of usage has for the options.
        settings: how arguments are parsed, as click's contexts have it.
    """

    def made(function: Callable[..., None]) -> Command:
        name = function.__name__
        summary = COMMANDS[name].summary
        return cls(
            name,
            params=[*parameters],
            callback=function,
            context_settings={"show_default": True, **settings},
            help=f"{summary}\n\n{inspect.getdoc(function)}",
            short_help=summary,
            options_metavar=usage,
            epilog=UNWRAPPED + documentation(name),
        )

    return made
