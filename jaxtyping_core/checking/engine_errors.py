"""What JAX refuses inside the functions of the checked programs, by their evaluation.

mypy does not look into functions without annotations, and in others it does not know with what they are called. The
programs are therefore evaluated from their source while mypy runs, and what is refused is reported beside its errors.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from jaxtyping_core import settings
from jaxtyping_core.checking.evaluating import Limits, evaluated
from jaxtyping_core.checking.findings import distinct
from jaxtyping_core.checking.ignoring import Ignored
from jaxtyping_core.errors import CommandError, SettingsError
from jaxtyping_core.evaluation.protocol import CODES
from jaxtyping_core.programs.callers import with_callers
from jaxtyping_core.programs.files import refuse_notebook
from jaxtyping_core.programs.imports import OF_ARRAYS
from jaxtyping_core.programs.report import Refusal, Report
from jaxtyping_core.programs.sources import Program, collect
from jaxtyping_core.reading import read_text, unreadable
from jaxtyping_core.severities import graded, printed
from jaxtyping_core.user import answers_file

if TYPE_CHECKING:
    from mypy.modulefinder import BuildSource
    from mypy.options import Options

#: Files of one run whose programs are evaluated, and how long that may take: mypy runs at the same time.
MOST_FILES, LIMITS = 60, Limits(program=12.0, total=30.0)


@dataclass(slots=True)
class Refused:
    """What JAX refuses, how mypy was asked to report errors, and what else there is to say."""

    options: Options | None = None
    refusals: list[Refusal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: Whether not all programs were evaluated to their end.
    is_partial: bool = False
    #: Whether none was evaluated at all, of one or more.
    is_nothing: bool = False
    #: The lines whose comments ignore one.
    used: set[tuple[Path, int]] = field(default_factory=set)


class Asked(NamedTuple):
    """What mypy is asked to check, and how."""

    sources: list[BuildSource]
    options: Options


def asked(arguments: Sequence[str], config: Path) -> Asked | None:
    """What mypy will find to check with these arguments and a configuration; None if it will say that it cannot.

    Raises:
        CommandError: it would read a notebook, or a file that may never end.
    """
    from mypy.main import process_options

    import jaxtyping_core_mypy.errors  # noqa: F401 - mypy knows our codes from there; options may name them

    silent = io.StringIO()
    try:
        with contextlib.redirect_stdout(silent), contextlib.redirect_stderr(silent):
            sources, options = process_options(
                ["--config-file", str(config), *arguments], stdout=silent, stderr=silent
            )
    except SystemExit:
        return None
    for source in sources:
        path = Path(source.path) if source.path and source.text is None else None
        if path is None or path.is_dir():  # a package without a file of its own
            continue
        refuse_notebook(path, "mypy")
        if reason := unreadable(path):
            raise CommandError(f"{path}: {reason}; leave it out with --exclude")
    return Asked(sources, options)


def refused(arguments: Sequence[str], targets: Asked | None, source: Path | None) -> Refused:
    """What is refused in the files that mypy checks with these arguments.

    Args:
        arguments: those of mypy.
        targets: what these arguments mean.
        source: the user's own configuration, for its settings.
    """
    try:
        configured = settings.load(Path.cwd(), source)
    except SettingsError:  # the plugin says what is wrong
        return Refused()
    if targets is None:
        return Refused()
    sources, options = targets
    python = options.python_executable or sys.executable
    if not (configured.evaluate and configured.programs):
        return Refused()
    named = {Path(argument).resolve() for argument in arguments if argument.endswith(".py")}
    files = [
        Path(file.path) for file in sources if file.path and file.text is None and _concerns(file, named)
    ]
    try:
        programs = collect(files[:MOST_FILES], configured.trusted)
        # All files of a folder have their scripts among them.
        whole = with_callers(programs, configured.trusted)[0] if named else programs
    except CommandError:  # mypy says it too
        return Refused(options)
    cached = options.cache_dir != os.devnull and answers_file() is not None
    outcome = evaluated(whole, configured, LIMITS, python, cached)
    notes = outcome.notes
    if len(files) > MOST_FILES:
        notes.append(
            f"{len(files)} files import JAX, but only {MOST_FILES} of them were evaluated, with the functions that these call;"
            " to evaluate another file, name it, or leave out --mypy"
        )
    own = {Path(module.path).resolve() for program in programs for module in program.modules.values()}
    severe = graded(outcome.report.refusals, printed(configured.rules, configured.low_precision))
    refusals = [refusal for refusal in severe if Path(refusal.file).resolve() in own]
    result = reported(replace(outcome.report, refusals=refusals), sources, programs, options, notes)
    result.is_partial, result.is_nothing = outcome.is_partial, outcome.is_nothing
    return result


def reported(
    report: Report,
    sources: Sequence[BuildSource],
    programs: Sequence[Program],
    options: Options,
    notes: Sequence[str] = (),
) -> Refused:
    """What is refused in some programs as far as mypy's options and the programs' comments let it be reported."""
    outcome = Refused(options, notes=[*notes])
    files = {Path(module.path).resolve() for program in programs for module in program.entry_modules}
    outcome.refusals.extend(_reported(report.refusals, _modules(sources, programs), files, outcome))
    return outcome


def _concerns(source: BuildSource, named: set[Path]) -> bool:
    """Whether a file that mypy checks is named by the user, or has to do with arrays."""
    path = Path(source.path or "")
    if path.suffix != ".py":
        return False
    with contextlib.suppress(OSError):
        return path.resolve() in named or bool(OF_ARRAYS.search(read_text(path, "replace")))
    return False


def _modules(sources: Sequence[BuildSource], programs: Sequence[Program]) -> dict[Path, str]:
    """The names of modules, by their files: mypy's for those that it was given."""
    names = {
        Path(module.path).resolve(): name for program in programs for name, module in program.modules.items()
    }
    return names | {Path(file.path).resolve(): file.module for file in sources if file.path}


def _reported(
    refusals: Iterable[Refusal], modules: dict[Path, str], files: set[Path], outcome: Refused
) -> Iterator[Refusal]:
    """Those that mypy's options and the comments of the program let through."""
    ignored: dict[Path, Ignored] = {}
    for refusal in distinct(refusals):
        path, code = Path(refusal.file).resolve(), CODES[refusal.kind]
        assert outcome.options is not None
        own = outcome.options.clone_for_module(modules.get(path, path.stem))
        if own.ignore_errors or code in own.disable_error_code:
            continue
        if path not in files and own.follow_imports != "normal":
            continue
        if path not in ignored:
            ignored[path] = Ignored(path)
        by = ignored[path].by(refusal.line, code)
        if by is None:
            yield refusal
        outcome.used.add((path, by or 0))
