"""``jaxtyping-core show``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from jaxtyping_core import reading, trust
from jaxtyping_core.checking.configuration import settings_here
from jaxtyping_core.checking.output import show_every_character
from jaxtyping_core.cli.files import write
from jaxtyping_core.cli.options import CONFIG_FILE, PYTHON, REQUIRE_WALL, TRUST
from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation.versions import jax_version
from jaxtyping_core.evaluation.wall.required import warning
from jaxtyping_core.installation.environment import find_python
from jaxtyping_core.programs.evaluate import require_wall
from jaxtyping_core.programs.files import python_files
from jaxtyping_core.programs.known import known
from jaxtyping_core.programs.report import Report
from jaxtyping_core.showing import page, records, terminal
from jaxtyping_core.showing.listing import Listing, listings

#: How the names of files end that a page is written into, and the one where none is named.
SUFFIX = ".html"
PAGE = Path("show.html")


def register(add: Callable[..., None]) -> None:
    """Add the command."""
    add(show)


def show(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="PATH...", help=f"Python files and folders. With --html, also the {SUFFIX} file to write."
        ),
    ],
    html: Annotated[
        bool,
        typer.Option("--html", help=f"Write an HTML page. [default: {PAGE}]"),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON for each file.")] = False,
    config_file: Annotated[
        Path | None,
        typer.Option("--config-file", metavar="FILE", help=CONFIG_FILE),
    ] = None,
    python: Annotated[str | None, typer.Option(metavar="PYTHON", help=PYTHON)] = None,
    wall: Annotated[
        bool,
        typer.Option("--require-wall", help=REQUIRE_WALL),
    ] = False,
    trusted: Annotated[
        list[str] | None,
        typer.Option("--trust", metavar="PACKAGE", help=TRUST),
    ] = None,
) -> None:
    """This command evaluates the programs that the files belong to, from their source. If mypy is installed
    and the evaluation leaves an array open, it adds what it infers, in functions without annotations too. Your programs are
    not imported or run.

    Errors are shown below their lines and do not change the exit status.

    \b
    Exit status:
      0  success
      2  nothing could be shown: the message says why
    """
    paths, output = _targets(files, html, json)
    interpreter = find_python(python) if python else None
    if jax_version(interpreter or sys.executable) == "none":
        raise CommandError(
            f"{python or sys.executable} has no JAX; run pip install jax, or name another Python with --python"
        )
    if wall:
        require_wall(interpreter or sys.executable)
    trust.add(trusted or [])
    configured = settings_here(config_file)
    sources = python_files(paths)
    with Console(stderr=True).status("Evaluating"):
        report = known(list(sources.texts), configured, config_file, interpreter)
    shown = listings({str(file): text for file, text in sources.texts.items()}, report)
    warnings = [warning(report.unwalled)] if report.unwalled else []
    notes = [
        *configured.notes,
        *_elsewhere(report, shown),
        *sources.notes,
        *report.notes,
        *warnings,
    ]
    if output is not None:
        write(output, page.page(shown, notes).encode(errors="backslashreplace"))
        typer.echo(f"Wrote {output}")
    elif json:
        _print_records(shown, notes)
    else:
        show_every_character()
        terminal.show(Console(highlight=False), shown, notes)


def _targets(files: Sequence[Path], html: bool, json: bool) -> tuple[list[Path], Path | None]:
    """The files to show, and the one to write a page into; None for none.

    Raises:
        CommandError: the options do not go together, or an earlier file would be lost.
    """
    paths = [file for file in files if file.suffix != SUFFIX]
    pages = [file for file in files if file.suffix == SUFFIX]
    if html and json:
        raise CommandError("--html and --json cannot be used together; choose one")
    if len(pages) > html:
        raise CommandError(
            f"{pages[-1]}: cannot show an HTML file; to write it, add --html, and name only one"
        )
    if not paths:
        raise CommandError("nothing to show; name Python files or folders")
    if not html:
        return paths, None
    if not pages and PAGE.exists() and page.GENERATOR not in reading.read_text(PAGE, "replace"):
        raise CommandError(
            f"{PAGE} was not written by jaxtyping-core, so it is not replaced; name another .html file"
        )
    return paths, pages[0] if pages else PAGE


def _elsewhere(report: Report, shown: Sequence[Listing]) -> Iterator[str]:
    """The errors in other files of the programs than those that are shown."""
    files = {listing.file for listing in shown}
    for refusal in report.refusals:
        if refusal.file not in files:
            yield f"{refusal.file}:{refusal.line}: {refusal.message}"


def _print_records(shown: Sequence[Listing], notes: Sequence[str]) -> None:
    for listing in shown:
        typer.echo(records.record(listing))
    for note in notes:
        typer.echo(f"jaxtyping-core: {note}", err=True)
