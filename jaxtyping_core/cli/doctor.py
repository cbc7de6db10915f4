"""``jaxtyping-core doctor``."""

from __future__ import annotations

import sys
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from jaxtyping_core.cli.command import command
from jaxtyping_core.cli.consoles import make_console
from jaxtyping_core.cli.options import option
from jaxtyping_core.evaluation.client import wall_of
from jaxtyping_core.installation import checkers, settings, x64
from jaxtyping_core.installation.diagnosis import Finding, Verdict, diagnose, of_other
from jaxtyping_core.installation.environment import examine
from jaxtyping_core.installation.interpreter import environments

STYLES = {Verdict.GOOD: "green", Verdict.NOTE: "yellow", Verdict.BAD: "bold red"}


@command(
    option(
        "--python",
        metavar="PYTHON",
        default=sys.executable,
        show_default=False,
        help="The Python, or virtual environment, to check. [default: this one]",
    )
)
def doctor(python: str) -> None:
    """This command tells you what is wrong and how to fix it. It runs every installed type checker on a small program
    in a temporary folder, to find out whether the checker sees the stubs for JAX.

    It also reads the settings and the Python files in the current folder. It runs none of them.

    \b
    Exit status:
      0  no problem
      1  there are problems
      2  the Python could not be run
    """
    environment = examine(python)
    with make_console(stderr=True).status("Running the type checkers"):
        sights = checkers.look(environment.python)
    wall = None if environment.jax is None else wall_of(str(environment.python))
    folder = Path.cwd()
    findings = diagnose(environment, sights, settings.read(folder), folder, wall, x64.look(folder))
    findings += of_other(environment.python, *environments(folder))
    console = make_console()
    console.print(_table(findings))
    problems = sum(finding.verdict is Verdict.BAD for finding in findings)
    console.print(f"{problems} problem{'s' * (problems != 1)}" if problems else "No problems found.")
    click.get_current_context().exit(bool(problems))


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
