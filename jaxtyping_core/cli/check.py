"""``jaxtyping-core check``."""

from __future__ import annotations

import io
import sys
from collections import defaultdict
from collections.abc import Sequence
from contextlib import nullcontext, redirect_stdout
from pathlib import Path

import click

from jaxtyping_core import trust
from jaxtyping_core.checking import engine, plain
from jaxtyping_core.checking.add_ignores import with_ignores
from jaxtyping_core.checking.baseline import Baseline, content
from jaxtyping_core.checking.configuration import settings_here
from jaxtyping_core.checking.documents import STATISTICS
from jaxtyping_core.checking.engine import CLEAN, UNABLE
from jaxtyping_core.checking.findings import shown_file
from jaxtyping_core.checking.formats import TEXT
from jaxtyping_core.checking.records import FORMATS, require_format
from jaxtyping_core.checking.sieve import Sieve, codes
from jaxtyping_core.checking.targets import SYNTAX
from jaxtyping_core.cli.command import Argument, command
from jaxtyping_core.cli.consoles import evaluating, make_console
from jaxtyping_core.cli.files import redirected, replace, write
from jaxtyping_core.cli.options import (
    CONFIG_FILE,
    NO_DAEMON,
    NO_OBSERVED,
    OUTPUT,
    PATH,
    PYTHON,
    REQUIRE_WALL,
    TRUST,
    flag,
    offering,
    option,
    output_format,
)
from jaxtyping_core.errors import CommandError, unknown
from jaxtyping_core.evaluation import resident
from jaxtyping_core.evaluation.protocol import CODES as KINDS
from jaxtyping_core.installation.interpreter import of_command_line
from jaxtyping_core.programs.evaluate import require_wall
from jaxtyping_core.programs.notebooks import is_notebook
from jaxtyping_core.reading import read_bytes
from jaxtyping_core.rules import PORTS
from jaxtyping_core.settings import Settings
from jaxtyping_core.severities import DEFAULTS
from jaxtyping_core.showing.listing import plural

#: The codes that can be chosen without mypy.
CODES = sorted({*DEFAULTS, SYNTAX})
SELECT = "Report only findings of CODE. Repeat the option, or separate codes by commas."
PORT = "Report where the files give other arrays than they do in LIBRARY, from which they are ported: numpy or torch."
IGNORE = "Do not report findings of CODE. Repeat the option, or separate codes by commas."


@command(
    Argument(
        "paths",
        metavar="[PATH]...",
        nargs=-1,
        help="Files and folders to check. [default: the current folder]",
    ),
    CONFIG_FILE,
    output_format((TEXT, *FORMATS), TEXT),
    OUTPUT,
    option("--select", metavar="CODE", multiple=True, help=SELECT, shell_complete=offering(CODES)),
    option("--ignore", metavar="CODE", multiple=True, help=IGNORE, shell_complete=offering(CODES)),
    option(
        "--baseline",
        metavar="FILE",
        type=PATH,
        help="Leave out the findings in FILE. [default: the setting `baseline`]",
    ),
    option("--write-baseline", metavar="FILE", type=PATH, help="Write the current findings to FILE."),
    flag("--add-ignores", help="Add a comment that silences it to the line of each current finding."),
    flag("--statistics", help="Print how often each code occurs, not the findings."),
    option("--port", metavar="LIBRARY", multiple=True, help=PORT, shell_complete=offering(PORTS)),
    PYTHON,
    flag(
        "--mypy",
        help="Run mypy with the plugin as well, and print all of its errors. Other options go to mypy.",
    ),
    flag("--mypy-types", help="With --mypy: spell array types as mypy does, not as float32[B, 3]."),
    NO_OBSERVED,
    NO_DAEMON,
    REQUIRE_WALL,
    TRUST,
    usage="[OPTIONS] [MYPY OPTIONS]",
    ignore_unknown_options=True,
    allow_interspersed_args=True,
)
def check(
    paths: Sequence[str],
    config_file: Path | None,
    form: str,
    output: Path | None,
    select: Sequence[str],
    ignore: Sequence[str],
    baseline: Path | None,
    write_baseline: Path | None,
    add_ignores: bool,
    statistics: bool,
    port: Sequence[str],
    python: str | None,
    mypy: bool,
    mypy_types: bool,
    no_observed: bool,
    no_daemon: bool,
    wall: bool,
    trusted: Sequence[str],
) -> None:
    """This command evaluates the programs that the files belong to, from their source, and reports what JAX would reject.
    In folders, it takes the files that import JAX or a library of arrays, and those that import such a file. Your
    programs are not imported or run.

    \b
    Exit status:
      0  no errors or warnings are left
      1  errors or warnings
      2  a file is not valid Python, or nothing could be checked
    """
    require_format(form)
    _require_one(write_baseline=write_baseline, add_ignores=add_ignores, statistics=statistics)
    interpreter = of_command_line(python)
    if no_daemon:
        resident.switch_off()
    if wall:
        require_wall(interpreter or sys.executable)
    trust.add(trusted)
    configured = _with_ports(settings_here(config_file), port, paths)
    with_mypy = mypy or configured.mypy
    if with_mypy and add_ignores:
        raise CommandError("--add-ignores cannot be used with mypy; leave out --mypy, or set `mypy = false`")
    if with_mypy and port:
        raise CommandError(
            "--port cannot be used with mypy; leave out --mypy, or name the files under [tool.jaxtyping_core.port]"
        )
    if with_mypy and no_observed:
        raise CommandError(
            "--no-observed cannot be used with mypy; leave out --mypy, or set `observed = false`"
        )
    if no_observed:
        configured = configured._replace(observed=False)
    known = None if with_mypy else CODES  # mypy has codes of its own
    file = baseline or (Path(configured.baseline) if configured.baseline else None)
    sieve = Sieve(
        set(codes(select, known)) if select else None,
        set(codes(ignore, known)),
        Baseline(file) if file and not write_baseline else None,
        is_recording=write_baseline is not None,
    )
    if statistics:
        form = STATISTICS
    # Of a run that only records findings, nothing is printed.
    with (
        redirected(output),
        redirect_stdout(io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
        if write_baseline
        else nullcontext(),
    ):
        if with_mypy:
            status = _with_mypy(paths, config_file, form, mypy_types, interpreter, sieve)
        elif add_ignores:
            status = _add_ignores(paths, configured, interpreter, sieve)
        else:
            status = _alone(paths, configured, form, interpreter, sieve, is_file=output is not None)
    if write_baseline and status != UNABLE:
        write(write_baseline, content(write_baseline, sieve.recorded))
        click.echo(f"Wrote {plural(len(sieve.recorded), 'finding')} to {write_baseline}")
    click.get_current_context().exit(status)


def _with_ports(configured: Settings, libraries: Sequence[str], arguments: Sequence[str]) -> Settings:
    """The settings, with the files and folders that are checked ported from some libraries.

    Raises:
        CommandError: there is no such library.
    """
    for library in libraries:
        if library not in PORTS:
            raise CommandError(unknown("library of --port:", library, PORTS))
    paths = [str(Path(argument).resolve()) for argument in arguments or ["."] if not argument.startswith("-")]
    more = [(library, path) for library in libraries for path in paths]
    return configured._replace(port=(*configured.port, *more))


def _require_one(**options: object) -> None:
    """Accept at most one of some options, each with its value.

    Raises:
        CommandError: there are several.
    """
    named = [f"--{name.replace('_', '-')}" for name, value in options.items() if value]
    if len(named) > 1:
        raise CommandError(f"{' and '.join(named)} cannot be used together; choose one")


def _with_mypy(
    arguments: Sequence[str],
    config_file: Path | None,
    form: str,
    mypy_types: bool,
    python: str | None,
    sieve: Sieve,
) -> int:
    """Run mypy as well; the exit status."""
    # Only here: the other way needs no mypy, and is quicker without the imports of this one.
    from jaxtyping_core.checking.run import run_mypy

    options = [f"--python-executable={python}"] if python else []
    return run_mypy([*options, *arguments], config_file, form, mypy_types, sieve)


def _alone(
    arguments: Sequence[str],
    configured: Settings,
    form: str,
    python: str | None,
    sieve: Sieve,
    is_file: bool,
) -> int:
    """Check without mypy; the exit status.

    Raises:
        CommandError: an argument is an option that only mypy has, or nothing can be checked.
    """
    checked = _checked(arguments, configured, python, sieve)
    if form == TEXT:
        plain.show_text(checked, make_console(is_file=is_file))
    else:
        plain.show_records(checked, form)
    for note in (*checked.notes, *(() if form == TEXT else checked.known)):
        click.echo(f"jaxtyping-core: {note}", err=True)
    return checked.status


def _checked(
    arguments: Sequence[str], configured: Settings, python: str | None, sieve: Sieve
) -> engine.Checked:
    """What is wrong in the files and folders that the arguments name.

    Raises:
        CommandError: an argument is an option that only mypy has, or nothing can be checked.
    """
    for argument in arguments:
        if argument.startswith("-") and not Path(argument).exists():
            option = argument.partition("=")[0]
            raise CommandError(f"`check` has no option {option}; if it is an option of mypy's, add --mypy")
    with evaluating() as begins:
        return engine.check([*map(Path, arguments or ["."])], configured, python, sieve, begins)


def _add_ignores(arguments: Sequence[str], configured: Settings, python: str | None, sieve: Sieve) -> int:
    """Add comments that silence what is found; the exit status.

    Raises:
        CommandError: a file cannot be changed.
    """
    checked = _checked(arguments, configured, python, sieve)
    wanted: dict[Path, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for refusal in checked.refusals:
        wanted[Path(refusal.file)][refusal.line].add(KINDS[refusal.kind])
    changed = {}
    for file, lines in wanted.items():
        if is_notebook(file):
            raise CommandError(
                f"{shown_file(str(file))}: --add-ignores changes no notebooks; add the comments in Jupyter"
            )
        before = read_bytes(file)
        try:
            changed[file] = before, with_ignores(before, lines)
        except CommandError as error:
            raise CommandError(f"{shown_file(str(file))}: {error}") from None
    for file, (before, after) in changed.items():
        replace(file, before, after)
    for note in checked.notes:
        click.echo(f"jaxtyping-core: {note}", err=True)
    lines_changed = sum(map(len, wanted.values()))
    click.echo(f"Silenced {plural(lines_changed, 'line')} in {plural(len(wanted), 'file')}")
    return UNABLE if checked.is_broken or checked.is_nothing else CLEAN
