"""Has programs evaluated from their source, by the evaluation child."""

from __future__ import annotations

import math
import re
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from jaxtyping_core import libraries
from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation import support
from jaxtyping_core.evaluation.accepted import message
from jaxtyping_core.evaluation.client import Evaluator, evaluator, wall_of
from jaxtyping_core.evaluation.protocol import STOPS, Answer
from jaxtyping_core.evaluation.versions import jax_version, packages_digest
from jaxtyping_core.evaluation.wall import FULL, required
from jaxtyping_core.programs import accepted, x64
from jaxtyping_core.programs.report import Report, Unevaluated, decode, with_facts
from jaxtyping_core.programs.sources import Program
from jaxtyping_core.settings import Settings
from jaxtyping_core.user import answers_file

#: Processor seconds after which the child ends the evaluation of a program with what it knows by then.
SECONDS = 60.0
#: And what each file that is given adds to that.
SECONDS_MORE = 6.0
#: What has effects on libraries that last, or may have: packages with state of their own, options and registries of JAX.
LASTING = re.compile(
    r"\b(?:{}|warnings|\w*register\w*|(?:set|enable|jax)_\w+|seterr|def(?:jvp|vjp)\w*"
    r"|__enter__|enter_context|sctype\w*|typecodes)\b".format("|".join(libraries.names("lasting")))
)
#: How many seconds longer it may take to say so, before it is ended.
GRACE = 2.0


def evaluate_programs(
    programs: Sequence[Program],
    settings: Settings,
    python: str = sys.executable,
    cached: bool = True,
    seconds: float = SECONDS,
    most: float = math.inf,
    keep: bool = False,
    is_superseded: Callable[[], bool] | None = None,
) -> Report:
    """What holds in some programs, under the JAX of an interpreter.

    Args:
        programs: what to evaluate.
        settings: how the programs run JAX.
        python: the interpreter.
        cached: whether answers are kept, in the user's file of answers.
        seconds: processor seconds for one program.
        most: seconds after which no further program is begun, and that one of many files takes.
        keep: whether the child stays for the next evaluation, which finds there what it has in common with this one.
        is_superseded: tells whether nobody wants to know it any more.

    Raises:
        Superseded: that is so.
    """
    if not (settings.evaluate and settings.programs):
        return Report(notes=["the settings turn the evaluation of programs off"])
    if reason := support.reason_against(python):
        return _joined([_lost(reason, program) for program in programs])
    arguments = () if is_superseded is None else (STOPS,)
    cache = answers_file() if cached else None
    child = evaluator(
        *(python, settings.time_limit, cache, jax_version(python), arguments), packages=settings.trusted
    )
    child.is_superseded = is_superseded
    reports: list[Report] = []
    start = time.monotonic()
    parts = [part for program in programs for part in program.parts()]
    for number, part in enumerate(parts):
        if time.monotonic() - start > most:
            reason = f"the time limit of {max(most, 0):g} s was reached"
            reports += [replace(_lost(reason, left), not_begun=True) for left in parts[number:]]
            break
        limit = min(seconds + SECONDS_MORE * (len(part.entries) - 1), max(seconds, most))
        try:
            report = ask(child, part, settings, limit)
            is_cut_off = report.incomplete and not report.unevaluated
            reports.append(replace(report, cut_off=_entries(part)) if is_cut_off else report)
        finally:
            if not (keep and leaves_nothing(part)):
                child.close()  # what a program has changed of JAX and the libraries must not last
    notes = [note for program in programs for note in program.notes]
    report = _joined(reports, unwalled(child))
    return replace(report, notes=[*dict.fromkeys([*notes, *report.notes])])


def _joined(reports: Sequence[Report], unwalled: str = "") -> Report:
    """What several reports say of as many programs, or parts of them."""
    files: dict[str, list[str]] = {}
    for each in (each for report in reports for each in report.unevaluated):
        files.setdefault(each.reason, []).extend(each.files)
    unevaluated = [Unevaluated(reason, (*dict.fromkeys(names),)) for reason, names in files.items()]
    missing = [*map(str, unevaluated)]
    joined = Report(
        refusals=[*dict.fromkeys(refusal for report in reports for refusal in report.refusals)],
        notes=[*dict.fromkeys([*missing, *(note for report in reports for note in report.notes)])],
        incomplete=any(report.incomplete for report in reports),
        not_begun=any(report.not_begun for report in reports),
        expressions=[each for report in reports for each in report.expressions],
        calls=[call for report in reports for call in report.calls],
        lost=[*dict.fromkeys([*missing, *(reason for report in reports for reason in report.lost)])],
        unevaluated=unevaluated,
        nothing_evaluated=bool(reports) and all(report.nothing_evaluated for report in reports),
        unwalled=unwalled,
        cut_off=(*dict.fromkeys(file for report in reports for file in report.cut_off),),
    )
    return with_facts(joined, [fact for report in reports for fact in report.facts])


def unwalled(child: Evaluator) -> str:
    """Why the operating system does not isolate a child; empty if it does, or if there was none."""
    wall = child.standing
    return "" if wall is None or wall.level == FULL else wall.why or wall.level


def require_wall(python: str) -> None:
    """Evaluate nothing where the operating system does not isolate the evaluation.

    Raises:
        CommandError: so it is for this interpreter.
    """
    required.require()
    wall = wall_of(python)
    if wall.level != FULL:
        raise CommandError(f"{required.refusal(wall)}; run `jaxtyping-core doctor` to see what is missing")


def leaves_nothing(program: Program) -> bool:
    """Whether an evaluation of a program certainly changes nothing of JAX and the libraries."""
    texts = [module.text for module in program.modules.values() if module.text is not None]
    return not any(map(LASTING.search, texts))


def ask(child: Evaluator, program: Program, settings: Settings, seconds: float = SECONDS) -> Report:
    """What the child says of a program."""
    asked = request(program, settings, seconds, packages_digest(child.python))
    answer = child.ask(asked, seconds + GRACE, project=str(program.root.resolve()))
    return _report(answer, program)


def request(program: Program, settings: Settings, seconds: float, packages: str) -> dict[str, Any]:
    """The request for one program; the answer depends on nothing else."""
    of_jax = settings.promotion in ("standard", "strict")
    return {
        "program": {
            "entries": program.entries,
            "modules": {name: module.as_json() for name, module in program.modules.items()},
            "trust": settings.trusted,
            "seconds": seconds,
            **({"watched": program.watched} if program.watched else {}),
            **({"expressions": program.explained} if program.explained else {}),
            # What holds for the functions that nothing calls: they are called after what the modules say.
            "x64": x64.is_on(program, settings.x64),
        },
        "x64": x64.begins_with(program, settings.x64),
        "promotion": settings.promotion if of_jax else "standard",
        **({} if of_jax else {"system": settings.promotion}),
        "packages": packages,  # the child does not look at them: it has them
    }


def _report(answer: Answer, program: Program) -> Report:
    if answer.program is None:
        return _lost(answer.unknown or "the evaluation process has no programs", program)
    try:
        return accepted.report(decode(answer.program), program)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        return _lost(
            f"the evaluation process sent an invalid answer: {message(f'{type(error).__name__}: {error}')}",
            program,
        )


def _lost(reason: str, program: Program) -> Report:
    return Report(
        incomplete=True, unevaluated=[Unevaluated(reason, _entries(program))], nothing_evaluated=True
    )


def _entries(program: Program) -> tuple[str, ...]:
    return tuple(module.path for module in program.entry_modules)
