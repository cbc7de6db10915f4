"""The application: its commands, and how their errors end it."""

from __future__ import annotations

import importlib
from typing import Any

import click
from click.shell_completion import get_completion_class

import jaxtyping_core
from jaxtyping_core.cli.command import UNWRAPPED
from jaxtyping_core.cli.listing import ABOUT, COMMANDS, VERSION_HELP, documentation
from jaxtyping_core.errors import CommandError, PromotionError, UnknownNameError

#: The exit status of each expected error: 1 is the answer "no", 2 a command that cannot be run.
STATUS: dict[type[Exception], int] = {PromotionError: 1, UnknownNameError: 2, CommandError: 2}
#: What a shell gets when someone presses Ctrl-C.
INTERRUPTED = 130
NAME = "jaxtyping-core"
SHELLS = ("bash", "zsh", "fish")


class Commands(click.Group):
    """The commands that `COMMANDS` names. The module of a command is imported when somebody asks for it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"jaxtyping_core.cli.{COMMANDS[cmd_name].module}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.summary) for name, command in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command. An expected error is one line, without a traceback."""
        try:
            return super().invoke(ctx)
        except tuple(STATUS) as error:
            click.echo(f"{NAME}: {error}", err=True)
            ctx.exit(next(code for kind, code in STATUS.items() if isinstance(error, kind)))
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)


def _show_completion(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    if shell is None or ctx.resilient_parsing:
        return
    if shell not in SHELLS:
        raise click.BadParameter(f"{shell!r} is not one of {', '.join(SHELLS)}.")
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(app, {}, NAME, f"_{NAME}_COMPLETE".replace("-", "_").upper()).source())
    ctx.exit()


app = Commands(
    help=ABOUT,
    epilog=UNWRAPPED + documentation(),
    no_args_is_help=True,
    context_settings={"help_option_names": ["--help"]},
    params=[
        click.Option(
            ["--completion"],
            metavar="SHELL",
            help=f"Print the script that makes a shell complete commands, options and codes: {', '.join(SHELLS)}.",
            callback=_show_completion,
            is_eager=True,
            expose_value=False,
            shell_complete=lambda *_: [*SHELLS],
        ),
    ],
)
app = click.version_option(
    jaxtyping_core.__version__, prog_name=NAME, message="%(prog)s %(version)s", help=VERSION_HELP
)(app)
