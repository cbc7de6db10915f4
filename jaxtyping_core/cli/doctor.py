"""``jaxtyping-core doctor``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from jaxtyping_core.evaluation.client import wall_of
from jaxtyping_core.installation import checkers, settings, x64
from jaxtyping_core.installation.diagnosis import Finding, Verdict, diagnose
from jaxtyping_core.installation.environment import examine

STYLES = {Verdict.GOOD: "green", Verdict.NOTE: "yellow", Verdict.BAD: "bold red"}


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command()(doctor)


def doctor(
    python: Annotated[
        str, typer.Option(metavar="PATH", help="The Python whose packages are checked, or its environment.")
    ] = sys.executable,
) -> None:
    """Say which type checkers see the stubs, what is wrong, and what to do.

    Every checker that is installed beside the Python, or on PATH, is run on a small program in a temporary
    folder. The configuration in the current folder is read, and its files of Python for what they say of 64-bit types; nothing of them is
    run. Exits with 0 if all is
    well, 1 if there is a problem.
    """
    environment = examine(python)
    with Console(stderr=True).status("Running the type checkers"):
        sights = checkers.look(environment.python)
    wall = None if environment.jax is None else wall_of(str(environment.python))
    folder = Path.cwd()
    findings = diagnose(environment, sights, settings.read(folder), folder, wall, x64.look(folder))
    console = Console(highlight=False)
    console.print(_table(findings))
    problems = sum(finding.verdict is Verdict.BAD for finding in findings)
    console.print(f"{problems} problem{'s' * (problems != 1)}" if problems else "All is well.")
    raise typer.Exit(bool(problems))


def _table(findings: list[Finding]) -> Table:
    """The findings; folded, not cut, where the terminal is narrow."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for verdict, subject, fact, remedy in findings:
        text = Text(fact)
        if remedy:
            text.append("\n-> ", style="dim").append(remedy, style="bold")
        table.add_row(Text(verdict.value, style=STYLES[verdict]), subject, text)
    return table
