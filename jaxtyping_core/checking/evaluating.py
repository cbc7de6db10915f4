"""Evaluates the programs that some files belong to, for `check`: what is refused in them, and what was not evaluated."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation import support
from jaxtyping_core.evaluation.wall import Wall, required
from jaxtyping_core.overlays import ONLOOKERS
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.imports import OF_ARRAYS
from jaxtyping_core.programs.report import Report, listed
from jaxtyping_core.programs.sources import Program
from jaxtyping_core.settings import Settings

#: How the evaluation says that a library is missing.
NOT_INSTALLED = re.compile(r"(\w+)[\w.]* is not installed: ")


class Limits(NamedTuple):
    """Processor seconds of a program, and the seconds after which no further program is begun."""

    program: float
    total: float


@dataclass(slots=True)
class Evaluated:
    """What the evaluation says of programs, and what else there is to say."""

    report: Report
    notes: list[str] = field(default_factory=list)
    #: Whether not all programs were evaluated to their end.
    is_partial: bool = False
    #: Whether none was evaluated at all, of one or more.
    is_nothing: bool = False
    #: Whether nothing is missing: neither a part of a program nor a library.
    is_complete: bool = False


def evaluated(
    programs: list[Program],
    configured: Settings,
    limits: Limits,
    python: str | None = None,
    cached: bool = True,
    begins: Callable[[Sequence[str], int], None] | None = None,
    errors_alone: bool = False,
) -> Evaluated:
    """Evaluate programs.

    Args:
        programs: what to evaluate.
        configured: how the programs run JAX.
        limits: how long that may take.
        python: the interpreter whose JAX is asked; None for this one.
        cached: whether answers are kept.
        begins: is told the files of each program, and how many are left after it, before it is evaluated.
        errors_alone: whether the caller needs only errors, and not the types of arrays.

    Raises:
        CommandError: the evaluation is not isolated although it must be.
    """
    python = python or sys.executable
    if support.reason_against(python):
        # What has nothing to do with arrays lacks nothing.
        programs = [program for program in programs if _uses_arrays(program)]
    report = evaluate_programs(
        programs, configured, python, cached, *limits, begins=begins, errors_alone=errors_alone
    )
    notes = [*filter(None, [support.warning(python)])] if programs else []
    notes += _about_the_wall(report)
    notes += report.lost
    if report.not_begun:
        notes.append(
            "to evaluate the rest, " + ("run the check again" if cached else "check fewer files at a time")
        )
    if report.cut_off:
        notes.append(
            f"the evaluation of {listed(report.cut_off)} did not come to its end, so errors may be missing"
        )
    lacking = [*_about_what_lacks(report.notes)]
    notes += lacking
    is_partial = report.incomplete or report.not_begun or bool(report.lost)
    is_nothing = report.nothing_evaluated and any(map(_uses_arrays, programs))
    return Evaluated(report, notes, is_partial, is_nothing, is_complete=not (is_partial or lacking))


def _about_what_lacks(notes: Sequence[str]) -> Iterator[str]:
    """What is said of libraries that the programs import and that are not installed, if arrays may come from them."""
    matches = filter(None, map(NOT_INSTALLED.match, notes))
    lacking = [name for name in dict.fromkeys(match[1] for match in matches) if name not in ONLOOKERS]
    if lacking:
        are, them = ("is", "it") if len(lacking) == 1 else ("are", "them")
        yield f"{listed(lacking)} {are} not installed: errors in arrays that come from {them} are missing"


def _about_the_wall(report: Report) -> list[str]:
    """A warning if the operating system does not isolate the evaluation.

    Raises:
        CommandError: it must.
    """
    if not report.unwalled:
        return []
    if required.is_required():
        raise CommandError(required.refusal(Wall(why=report.unwalled)))
    return [required.warning(report.unwalled)]


def _uses_arrays(program: Program) -> bool:
    """Whether a module of a program imports JAX."""
    return any(OF_ARRAYS.search(module.text or "") for module in program.modules.values())
