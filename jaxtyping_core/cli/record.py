"""``jaxtyping-core record``."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from jaxtyping_core.cli.command import Argument, command
from jaxtyping_core.cli.options import PATH, flag, option
from jaxtyping_core.errors import CommandError
from jaxtyping_core.recording import DEFAULT, PROCESS, report


# What comes after the script is its own; -m stands before the module as it does with Python.
@command(
    Argument(
        "program",
        metavar="SCRIPT [ARGS] | -m MODULE [ARGS]",
        nargs=-1,
        help="The program to run, as after `python`.",
    ),
    option(
        "--output",
        metavar="FACTS",
        type=PATH,
        default=DEFAULT,
        help="The file to add the recorded calls to.",
    ),
    option(
        "--root",
        metavar="FOLDER",
        type=PATH,
        multiple=True,
        help="Record code in FOLDER. [default: the project of the program]",
    ),
    flag("--places", help="Also record what is assigned to variables."),
    flag("--quiet", help="Do not print the summary line."),
    flag("--report", "show", help="Run nothing. List the functions that no recorded run has called."),
    ignore_unknown_options=True,
    allow_interspersed_args=False,
)
def record(
    program: Sequence[str],
    output: Path,
    root: Sequence[Path],
    places: bool,
    quiet: bool,
    show: bool,
) -> None:
    """This command runs your program, as `python SCRIPT` does. It records the types of arguments and results, and the
    dtypes and shapes of arrays. Data from files and other libraries is recorded in the same way. It never records the contents of
    arrays.

    Several runs add up. Records of a file that has changed since are dropped. To record a test suite, run
    `pytest --jaxtyping-record`.

    \b
    Exit status:
      that of the program, or 2 if it could not be started
    """
    if show:
        for line in report.report(output):
            click.echo(line)
        return
    if not program or program == ("-m",):
        raise CommandError(
            "name a script, or -m and a module, as in: jaxtyping-core record train.py --steps 3"
        )
    options = ["--out", str(output), *(part for folder in root for part in ("--root", str(folder)))]
    options += ["--places"] * places + ["--quiet"] * quiet
    flags: Any = subprocess.__dict__["_args_from_interpreter_flags"]()
    command = [sys.executable, *flags, PROCESS, *options, "--", *program]
    sys.stdout.flush()
    os.execv(sys.executable, command)
