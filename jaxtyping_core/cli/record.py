"""``jaxtyping-core record``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from jaxtyping_core.errors import CommandError
from jaxtyping_core.recording import PROCESS, report
from jaxtyping_core.recording.store import DEFAULT


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    # What comes after the script is its own; -m stands before the module as it does with Python.
    app.command(context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False})(record)


def record(
    program: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SCRIPT [ARGS] | -m MODULE [ARGS]", help="The program, as Python is given it."
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="The file of facts; what is in it already stays.")] = DEFAULT,
    root: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="Record the code below it, if not the project of the program."),
    ] = None,
    places: Annotated[bool, typer.Option("--places", help="Record assignments to names as well.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing when the program has ended.")] = False,
    show: Annotated[
        bool,
        typer.Option("--report", help="Run nothing: list the functions of which there are no facts yet."),
    ] = False,
) -> None:
    """Run a program, and record what its functions get and give: the dtypes and shapes of arrays, never contents.

    This command runs your program, as `python SCRIPT` does, with its exit status and its output. Facts of several runs
    add up; those of a file that was changed since are dropped. `pytest --jaxtyping-record` records a test suite.
    """
    if show:
        for line in report.report(out):
            typer.echo(line)
        return
    if not program or program == ["-m"]:
        raise CommandError("expected a script, or -m and a module: jaxtyping-core record train.py --steps 3")
    options = ["--out", str(out), *(part for folder in root or () for part in ("--root", str(folder)))]
    options += ["--places"] * places + ["--quiet"] * quiet
    flags: Any = subprocess.__dict__["_args_from_interpreter_flags"]()
    command = [sys.executable, *flags, PROCESS, *options, "--", *program]
    sys.stdout.flush()
    os.execv(sys.executable, command)
