"""``jaxtyping-core check``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from jaxtyping_core import trust
from jaxtyping_core.checking import engine, plain
from jaxtyping_core.checking.configuration import settings_here
from jaxtyping_core.checking.formats import FORMATS, TEXT, require_format
from jaxtyping_core.cli.options import CONFIG_FILE, PYTHON, REQUIRE_WALL, TRUST
from jaxtyping_core.errors import CommandError
from jaxtyping_core.installation.environment import find_python
from jaxtyping_core.programs.evaluate import require_wall
from jaxtyping_core.settings import Settings


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
    python: Annotated[str | None, typer.Option(metavar="PYTHON", help=PYTHON)] = None,
    mypy: Annotated[
        bool,
        typer.Option(
            "--mypy",
            help="Run mypy with the plugin as well, and print all of its errors. Other options go to mypy.",
        ),
    ] = False,
    mypy_types: Annotated[
        bool,
        typer.Option(
            "--mypy-types", help="With --mypy: spell array types as mypy does, not as float32[B, 3]."
        ),
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", hidden=True, help="The former name of --mypy-types.")
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
    """This command evaluates the programs that the files belong to, from their source, and reports what JAX would reject.
    In folders, it takes the files that import JAX or a library of arrays. Your programs are not imported or run.

    \b
    Exit status:
      0  no error was found
      1  errors were found
      2  a file is not valid Python, or nothing could be checked
    """
    arguments = paths or []
    require_format(form)
    interpreter = find_python(python) if python else None
    if wall:
        require_wall(interpreter or sys.executable)
    trust.add(trusted or [])
    if mypy:
        raise typer.Exit(_with_mypy(arguments, config_file, form, mypy_types or verbose, interpreter))
    configured = settings_here(config_file)
    if configured.mypy:
        raise typer.Exit(_with_mypy(arguments, config_file, form, mypy_types or verbose, interpreter))
    raise typer.Exit(_alone(arguments, configured, form, interpreter))


def _with_mypy(
    arguments: Sequence[str], config_file: Path | None, form: str, mypy_types: bool, python: str | None
) -> int:
    """Run mypy as well; the exit status."""
    # Only here: the other way needs no mypy, and is quicker without the imports of this one.
    from jaxtyping_core.checking.run import run_mypy

    options = [f"--python-executable={python}"] if python else []
    return run_mypy([*options, *arguments], config_file, form, mypy_types)


def _alone(arguments: Sequence[str], configured: Settings, form: str, python: str | None) -> int:
    """Check without mypy; the exit status.

    Raises:
        CommandError: an argument is an option that only mypy has, or nothing can be checked.
    """
    for argument in arguments:
        if argument.startswith("-") and not Path(argument).exists():
            option = argument.partition("=")[0]
            raise CommandError(f"`check` has no option {option}; if it is an option of mypy's, add --mypy")
    with Console(stderr=True).status("Evaluating"):
        checked = engine.check([*map(Path, arguments or ["."])], configured, python)
    if form == TEXT:
        plain.show_text(checked)
    else:
        plain.show_records(checked, form)
    for note in checked.notes:
        typer.echo(f"jaxtyping-core: {note}", err=True)
    return checked.status
