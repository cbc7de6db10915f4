"""Runs mypy with the plugin switched on, under the user's own mypy configuration."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TextIO

from jaxtyping_core.checking.compact_types import shorten
from jaxtyping_core.checking.configuration import find_config, write_config
from jaxtyping_core.checking.engine_errors import Refused, asked, refused
from jaxtyping_core.checking.formats import TEXT
from jaxtyping_core.checking.merge_reports import Errors
from jaxtyping_core.checking.output import Output, show_every_character
from jaxtyping_core.checking.records import Records
from jaxtyping_core.checking.sieve import Sieve
from jaxtyping_core.checking.text import Text
from jaxtyping_core.errors import CommandError
from jaxtyping_core.telling import is_told

#: The exit status where nothing could be checked: mypy's own where it cannot run.
UNABLE = 2
#: Options with which mypy asks the user a question, which is not a whole line and must be shown at once.
INTERACTIVE = frozenset({"--install-types", "--pdb"})


def run_mypy(
    arguments: Sequence[str],
    config_file: Path | None = None,
    form: str = TEXT,
    mypy_types: bool = False,
    sieve: Sieve | None = None,
) -> int:
    """Run mypy with the plugin, and show its messages.

    Args:
        arguments: paths and options for mypy; where neither they nor the configuration say what to check,
            it is the current folder.
        config_file: the mypy configuration; None for the one that mypy itself would find.
        form: the format of the messages, `TEXT` or one of `FORMATS`.
        mypy_types: whether types stay as mypy writes them.
        sieve: what keeps errors from being reported; None for nothing.

    Returns:
        The exit status: 0 clean, 1 errors are shown, 2 mypy could not run or no program could be evaluated.

    Raises:
        CommandError: mypy is not installed, or its configuration, a folder or a file cannot be read, or there is no
            such format.
    """
    for argument in arguments:
        if Path(argument).is_dir() and not os.access(argument, os.R_OK | os.X_OK):
            raise CommandError(f"{argument}: no permission to read this folder")  # mypy ends in a traceback
    source = find_config(config_file)  # first: it says so where there is no mypy
    output = choose_output(arguments, form, mypy_types)
    with tempfile.TemporaryDirectory(prefix="jaxtyping-core-") as folder:
        config = write_config(source, Path(folder), with_targets=not is_program_text(arguments))
        targets = asked([*arguments, *output.options], config)
        if targets is not None and targets.options.hide_error_codes:
            output.hide_codes()
        # -P: a file of the checked project called like a module of ours or of mypy's must not be imported.
        command = [sys.executable, "-P", "-m", "mypy", "--config-file", str(config), *arguments]
        # What mypy says of its configuration is about the user's file, not about our copy.
        names = {str(config): str(source or "mypy.ini")}
        # Those of now: while the programs are evaluated, mypy's own words about its options go elsewhere.
        streams = sys.stdout, sys.stderr
        if output.stdout is None:
            return run_command(command, output, names, streams)
        with ThreadPoolExecutor(1) as pool:
            # Beside mypy.
            evaluated = pool.submit(refused, arguments, targets, source)
            return run_command(command, output, names, streams, evaluated, sieve)


def is_program_text(arguments: Sequence[str]) -> bool:
    """Whether the program to check is itself an argument; mypy then accepts no other target."""
    return any(argument.partition("=")[0] in ("-c", "--command") for argument in arguments)


def choose_output(arguments: Sequence[str], form: str, mypy_types: bool) -> Output:
    """How mypy's output is shown.

    Raises:
        CommandError: mypy would ask questions, for which the format has no place.
    """
    asking = INTERACTIVE.intersection(arguments) if "--non-interactive" not in arguments else ()
    if form == TEXT:
        if asking:
            return Output()
        return Text(sys.stdout, sys.stderr, str if mypy_types else shorten)
    for option in asking:
        raise CommandError(
            f"{option} asks questions, which --output-format {form} cannot show; leave out one of the two"
        )
    return Records(form, str if mypy_types else shorten)


def run_command(
    command: Sequence[str],
    output: Output,
    names: Mapping[str, str],
    streams: tuple[TextIO, TextIO],
    evaluated: Future[Refused] | None = None,
    sieve: Sieve | None = None,
) -> int:
    """Run `command` and show what it says on `streams`, with other names for some files; the exit status.

    `evaluated` is what is refused in the programs, which is shown after mypy's errors.
    """
    stdout, stderr = streams
    show_every_character(streams)
    encoding, errors = stdout.encoding, "backslashreplace"
    environment = {
        **({"MYPY_FORCE_COLOR": "1"} if stdout.isatty() and stderr.isatty() else {}),
        **os.environ,
        **output.environment,
        "PYTHONIOENCODING": f"{encoding}:{errors}",
    }
    colorless = (
        ["--no-color-output"] if os.environ.get("NO_COLOR") else []
    )  # mypy itself doesn't know the variable
    command = [*command, *colorless, *output.options]
    errors_seen = Errors(sieve or Sieve())
    with tempfile.TemporaryFile("w+", encoding=encoding, errors=errors) as messages:
        with subprocess.Popen(
            command, stdout=output.stdout, stderr=messages, encoding=encoding, errors=errors, env=environment
        ) as process:
            if process.stdout:
                lines = _renamed(process.stdout, names)
                output.show(_with_refused(lines, errors_seen, process, evaluated), stdout)
        messages.seek(0)
        if evaluated is not None:
            evaluated.exception()  # until then it may tell what the plugin tells as well
        output.show((line for line in _renamed(messages, names) if not is_told(line)), stderr)
    output.finish()
    notes = evaluated.result().notes if evaluated else []
    for note in notes:
        print(f"jaxtyping-core: {note}", file=stderr)
    status = output.status(errors_seen.status(process.returncode))
    return status or (UNABLE if errors_seen.is_nothing else 0)


def _with_refused(
    lines: Iterable[str], errors: Errors, process: subprocess.Popen[str], evaluated: Future[Refused] | None
) -> Iterator[str]:
    """mypy's lines, with what is refused in the programs before the summary; not where mypy could not run."""
    yield from errors.watch(lines)
    ran = process.wait() in (0, 1)
    yield from errors.rest(evaluated.result() if evaluated and ran else None)


def _renamed(lines: Iterable[str], names: Mapping[str, str]) -> Iterator[str]:
    for line in lines:
        text = line.rstrip("\n")
        for name, other in names.items():
            text = text.replace(name, other)
        yield text
