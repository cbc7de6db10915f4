"""What the command prints: a line for each mistake, and how many functions are proven, tested and not checked."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from jaxtyping_core.checking.formats import TEXT, Diagnostic
from jaxtyping_core.checking.records import Printer, require_format
from jaxtyping_core.errors import CommandError
from jaxtyping_core.recording.store import Facts
from jaxtyping_core.recording.store import load as load_facts

from .loading import load
from .recorded_arguments import remembered
from .replaying import replayed
from .subjects import Subject, subjects
from .verdicts import Answer, Verdict, Verification


def run(modules: Sequence[str], show_all: bool, form: str, limit: float, recorded: Path | None = None) -> int:
    """Verify the functions of modules and print what is found; the exit status.

    Calls that were `recorded` are made again of functions of which nothing is known otherwise.

    Raises:
        CommandError: a module cannot be imported, or it has no such function, or there are no such facts.
    """
    require_format(form)
    if limit <= 0:
        raise CommandError(f"--time-limit {limit:g} is not a number of seconds above 0")
    facts = None if recorded is None else load_facts(recorded)
    to_verify = [subject for module in modules for subject in chosen(module)]
    counted: Counter[Answer] = Counter()
    printer = Printer("concise" if form == TEXT else form)
    for subject in to_verify:
        verdict = Verification(subject, limit).verdict()
        if facts is not None and subject.problem is None:
            verdict = with_recorded(verdict, facts)
        counted[verdict.answer] += 1
        if show_all or verdict.answer is Answer.CONTRADICTED:
            printer.print(diagnostic(verdict))
    printer.finish()
    print(_summary(counted, show_all), file=sys.stdout if form == TEXT else sys.stderr)
    return 1 if counted[Answer.CONTRADICTED] else 0


def with_recorded(verdict: Verdict, facts: Facts) -> Verdict:
    """A verdict, or what recorded calls show: of functions that are not proven, for what was made up may not have been to the point."""
    if verdict.answer not in (Answer.NOT_CHECKED, Answer.TESTED):
        return verdict
    shown = [show(verdict.subject, facts) for show in (replayed, remembered)]
    told = [each for each in shown if each is not None]
    wrong = [each for each in told if each.answer is Answer.CONTRADICTED]
    return next(iter(wrong if verdict.answer is Answer.TESTED else [*wrong, *told]), verdict)


def chosen(argument: str) -> Iterator[Subject]:
    """The functions that an argument of the command names.

    Raises:
        CommandError: the module cannot be imported, or has no such function, or one without annotations of arrays.
    """
    name, _, wanted = argument.partition(":")
    if not name:
        raise CommandError(f"{argument!r} has no module; write MODULE or MODULE:FUNCTION")
    module = load(name)
    matching = list(subjects(module, wanted or None))
    if wanted and not matching:
        raise CommandError(_not_found(name, wanted, module))
    yield from matching


def _not_found(name: str, wanted: str, module: object) -> str:
    value = module
    for part in wanted.split("."):
        value = getattr(value, part, None)
    if value is not None:
        return (
            f"{name}:{wanted} has no array annotations such as Float32[B, D], so there is nothing to verify"
        )
    names = [subject.name for subject in subjects(module)]  # type: ignore[arg-type]
    return f"{name} has no function {wanted!r} with array annotations; it has {', '.join(names) or 'none'}"


def diagnostic(verdict: Verdict) -> Diagnostic:
    """A verdict as a message about a line."""
    wrong = verdict.answer is Answer.CONTRADICTED
    subject = verdict.subject
    why = f": {verdict.reason}" if verdict.reason else ""
    message = verdict.reason if wrong else f'"{subject.name}" is {verdict.answer.value}{why}'
    return Diagnostic(
        file=_shown(subject.file),
        line=verdict.line or subject.line,
        column=None,
        end_line=None,
        end_column=None,
        severity="error" if wrong else "note",
        code=verdict.code if wrong else None,
        message=message,
        hint=None,
    )


def _shown(file: str) -> str:
    """A path from the current folder where it is in there."""
    path = Path(file)
    return os.path.relpath(path) if path.is_relative_to(Path.cwd()) else file


def _summary(counted: Counter[Answer], show_all: bool) -> str:
    if not counted:
        return "no function has array annotations"
    order = (Answer.CONTRADICTED, Answer.PROVEN, Answer.TESTED, Answer.NOT_CHECKED)
    parts = [f"{counted[answer]} {answer.value}" for answer in order if counted[answer]]
    more = (
        ""
        if show_all or not (counted[Answer.TESTED] or counted[Answer.NOT_CHECKED])
        else "; use --all to show them"
    )
    return ", ".join(parts) + more
