"""``jaxtyping-core show``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from jaxtyping_core import severities, trust
from jaxtyping_core.checking.configuration import settings_here
from jaxtyping_core.checking.findings import unsilenced
from jaxtyping_core.checking.output import show_every_character
from jaxtyping_core.checking.records import require_format
from jaxtyping_core.cli.command import Argument, command
from jaxtyping_core.cli.consoles import make_console
from jaxtyping_core.cli.files import redirected
from jaxtyping_core.cli.options import (
    NO_DAEMON,
    NO_OBSERVED,
    OUTPUT,
    PATH,
    PYTHON,
    REQUIRE_WALL,
    SETTINGS_FILE,
    TRUST,
    flag,
    output_format,
)
from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation import resident
from jaxtyping_core.evaluation.versions import jax_version
from jaxtyping_core.evaluation.wall.required import warning
from jaxtyping_core.installation.interpreter import of_command_line
from jaxtyping_core.programs.evaluate import require_wall
from jaxtyping_core.programs.files import SUFFIXES, Files, python_files
from jaxtyping_core.programs.known import known
from jaxtyping_core.programs.notebooks import by_cell, is_notebook, report_by_cell
from jaxtyping_core.programs.report import Report
from jaxtyping_core.severities import graded
from jaxtyping_core.showing import page, records, terminal
from jaxtyping_core.showing.listing import Listing, listings, message

#: The formats: for people, one line of JSON for each file, and a page.
TEXT, JSON, HTML = FORMATS = ("text", "json", "html")


@command(
    Argument(
        "paths", metavar="PATH...", nargs=-1, required=True, type=PATH, help="Python files and folders."
    ),
    output_format(FORMATS, TEXT),
    OUTPUT,
    flag(
        "--exit-status", help="Exit with status 1 if there are errors or warnings that no comment silences."
    ),
    SETTINGS_FILE,
    PYTHON,
    NO_OBSERVED,
    NO_DAEMON,
    REQUIRE_WALL,
    TRUST,
)
def show(
    paths: Sequence[Path],
    form: str,
    output: Path | None,
    exit_status: bool,
    config_file: Path | None,
    python: str | None,
    no_observed: bool,
    no_daemon: bool,
    wall: bool,
    trusted: Sequence[str],
) -> None:
    """This command evaluates the programs that the files belong to, from their source. Your programs are not
    imported or run.

    Errors are shown below their lines. They change the exit status only with --exit-status.

    \b
    Exit status:
      0  success
      1  with --exit-status: there are errors or warnings
      2  nothing could be shown: the message says why
    """
    require_format(form, FORMATS)
    interpreter = of_command_line(python)
    if jax_version(interpreter or sys.executable) == "none":
        raise CommandError(
            f"{python or sys.executable} has no JAX; run pip install jax, or name another Python with --python"
        )
    if no_daemon:
        resident.switch_off()
    if wall:
        require_wall(interpreter or sys.executable)
    trust.add(trusted)
    configured = settings_here(config_file)
    if no_observed:
        configured = configured._replace(observed=False)
    sources = python_files(paths, SUFFIXES)
    with make_console(stderr=True).status("Evaluating"):
        report = known(sources.of_arrays, configured, interpreter)
    severe = severities.known(configured.rules, configured.low_precision)
    report = replace(report, refusals=graded(report.refusals, severe))
    shown = listings(_texts(sources), report_by_cell(report))
    warnings = [warning(report.unwalled)] if report.unwalled else []
    notes = [
        *configured.notes,
        *_elsewhere(report_by_cell(report), shown),
        *sources.notes,
        *report.notes,
        *warnings,
    ]
    with redirected(output):
        _print(form, shown, notes, is_file=output is not None)
    grave = [refusal for refusal in report.refusals if refusal.severity != severities.INFO]
    click.get_current_context().exit(exit_status and bool(unsilenced(grave)))


def _print(form: str, shown: Sequence[Listing], notes: Sequence[str], is_file: bool) -> None:
    show_every_character()
    if form == HTML:
        click.echo(page.page(shown, notes), nl=False)
    elif form == JSON:
        _print_records(shown, notes)
    else:
        terminal.show(make_console(is_file=is_file), shown, notes)


def _texts(sources: Files) -> dict[str, str]:
    """The texts that are shown, by the names of their files: those of notebooks cell by cell."""
    texts: dict[str, str] = {}
    for file, text in sources.texts.items():
        texts |= by_cell(str(file)) if is_notebook(file) else {str(file): text}
    return texts


def _elsewhere(report: Report, shown: Sequence[Listing]) -> Iterator[str]:
    """The errors in other files of the programs than those that are shown."""
    files = {listing.file for listing in shown}
    for refusal in report.refusals:
        if refusal.file not in files:
            yield f"{refusal.file}:{refusal.line}: {message(refusal)}"


def _print_records(shown: Sequence[Listing], notes: Sequence[str]) -> None:
    for listing in shown:
        click.echo(records.record(listing))
    for note in notes:
        click.echo(f"jaxtyping-core: {note}", err=True)
