"""``jaxtyping-core verify``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from jaxtyping_core.checking.formats import TEXT
from jaxtyping_core.checking.records import FORMATS
from jaxtyping_core.cli.command import Argument, command
from jaxtyping_core.cli.files import redirected
from jaxtyping_core.cli.options import OUTPUT, PATH, flag, option, output_format

#: The time limit for a function.
SECONDS = 20.0


@command(
    Argument(
        "modules",
        metavar="MODULE[:FUNCTION]...",
        nargs=-1,
        required=True,
        help="Modules, as you import them, or paths to their files.",
    ),
    flag("--all", "show_all", help="Print a line for every function, not only for wrong ones."),
    output_format((TEXT, *FORMATS), TEXT),
    OUTPUT,
    option(
        "--from",
        "recorded",
        metavar="FACTS",
        type=PATH,
        help="A file of recorded calls. They are repeated for functions whose arguments cannot be made up.",
    ),
    option(
        "--time-limit",
        "limit",
        metavar="SECONDS",
        type=float,
        default=SECONDS,
        show_default=False,
        help=f"The time limit for each function. [default: {SECONDS:g}]",
    ),
)
def verify(
    modules: Sequence[str],
    show_all: bool,
    form: str,
    output: Path | None,
    recorded: Path | None,
    limit: float,
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
    click.get_current_context().exit(status)
