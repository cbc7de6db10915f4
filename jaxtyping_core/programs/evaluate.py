"""Has programs evaluated from their source, by the evaluation child."""

from __future__ import annotations

import math
import re
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from jaxtyping_core import libraries
from jaxtyping_core.errors import CommandError
from jaxtyping_core.evaluation import lanes as side_by_side
from jaxtyping_core.evaluation import support
from jaxtyping_core.evaluation.accepted import message
from jaxtyping_core.evaluation.client import ANNOTATED_ALONE, ERRORS_ALONE, Evaluator, evaluator, wall_of
from jaxtyping_core.evaluation.process import MOST_AT_ONE
from jaxtyping_core.evaluation.protocol import STOPS, Answer
from jaxtyping_core.evaluation.versions import jax_version, packages_digest
from jaxtyping_core.evaluation.wall import FULL, required
from jaxtyping_core.programs import accepted, data_files, observations, x64
from jaxtyping_core.programs.report import Report, Unevaluated, decode, facts_for_all, with_facts
from jaxtyping_core.programs.shares import divided, share
from jaxtyping_core.programs.sources import Program
from jaxtyping_core.settings import Settings
from jaxtyping_core.user import answers_file

#: Processor seconds after which the child ends the evaluation of a program with what it knows by then.
SECONDS = 60.0
#: Modules of a program whose facts are computed, too, where only errors are wanted: other commands take them.
MOST_WHOLE = 40
#: And what each file that is given adds to that.
SECONDS_MORE = 6.0
#: And what all files of a program come to at most, for whoever asks: an answer is kept for one limit.
MOST_SECONDS = 240.0
#: What has effects on libraries that last, or may have: packages with state of their own, options and registries of JAX.
LASTING = re.compile(
    r"\b(?:{}|warnings|\w*register\w*|(?:set|enable|jax)_\w+|seterr|def(?:jvp|vjp)\w*"
    r"|__enter__|enter_context|sctype\w*|typecodes)\b".format("|".join(libraries.names("lasting")))
)
#: How many seconds longer it may take to say so, before it is ended: one statement may take most of them.
GRACE = MOST_AT_ONE + 2.0


def evaluate_programs(
    programs: Sequence[Program],
    settings: Settings,
    python: str = sys.executable,
    cached: bool = True,
    seconds: float = SECONDS,
    most: float = math.inf,
    keep: bool = False,
    is_superseded: Callable[[], bool] | None = None,
    begins: Callable[[Sequence[str], int], None] | None = None,
    with_defaults: bool = False,
    with_sizes: bool = False,
    most_of_one: float = MOST_SECONDS,
    errors_alone: bool = False,
    annotated_alone: bool = False,
    seconds_of: Callable[[Program], float] | None = None,
) -> Report:
    """What holds in some programs, under the JAX of an interpreter.

    Args:
        programs: what to evaluate.
        settings: how the programs run JAX.
        python: the interpreter.
        cached: whether answers are kept, in the user's file of answers.
        seconds: processor seconds for one program.
        most: seconds after which no further program is begun, and that one of many files takes if that is less than `most_of_one`.
        keep: whether the child stays for the next evaluation, which finds there what it has in common with this one.
        is_superseded: tells whether nobody wants to know it any more.
        begins: is told the files of each program, and how many are left after it, before it is evaluated.
        with_sizes: whether a program of which a recorded run has shown sizes is evaluated once more, with these sizes.
        with_defaults: whether a program whose options have defaults is evaluated once more, without options on its command line.
        errors_alone: whether the caller needs only errors. A large program is then evaluated without the functions that
            have no caller and no annotation, since these give no errors.
        annotated_alone: whether the caller looks at no function without annotations. Those that have no caller are not
            evaluated then, unless an answer about the whole program is kept.
        seconds_of: processor seconds for each program, in place of `seconds` and what files add to them.

    Raises:
        Superseded: that is so.
    """
    if not (settings.evaluate and settings.programs):
        return Report(notes=["the settings turn the evaluation of programs off"])
    if reason := support.reason_against(python):
        return _joined([_lost(reason, program) for program in programs])
    parts = [part for program in programs for part in program.parts()]
    # A child that stays has read what is edited: that is one program.
    lanes = 1 if keep else side_by_side.count(len(parts))
    stop = threading.Event()
    arguments = () if is_superseded is None and lanes == 1 else (STOPS,)
    children = _children(python, settings, answers_file() if cached else None, arguments, lanes)
    for child in children:
        child.is_superseded = is_superseded
        if lanes > 1:  # the others end when one fails
            child.is_superseded = lambda: stop.is_set() or bool(is_superseded and is_superseded())
    start = time.monotonic()
    owned = divided(parts, [x64.is_on(part, settings.x64) for part in parts])
    for part, names in zip(parts, owned, strict=True):
        part.elsewhere = frozenset(part.modules) - names
    sizes = [len(names.union(part.entries)) for part, names in zip(parts, owned, strict=True)]

    def limit_of(number: int) -> float:
        if seconds_of is not None:
            return seconds_of(parts[number])
        limit = min(
            seconds + SECONDS_MORE * (len(parts[number].entries) - 1), max(seconds, min(most, most_of_one))
        )
        # It is the same each time: what is known of a program that did not come to its end is kept for one limit.
        return min(limit, max(share(lanes * most, sizes[number], sum(sizes)), SECONDS_MORE))

    def answered(lane: int, number: int, observed: Any, assumes_defaults: bool = False) -> Report:
        part, limit = parts[number], limit_of(number)
        try:
            alone = (errors_alone, annotated_alone)
            return ask(children[lane], part, settings, limit, assumes_defaults, observed, *alone)
        finally:
            if not (keep and leaves_nothing(part)):
                children[lane].close()  # what a program has changed of JAX and the libraries must not last

    def tell(number: int, part: Program) -> None:
        if begins is not None and time.monotonic() - start <= most:
            begins(_entries(part), len(parts) - number - 1)

    def evaluated(lane: int, number: int, part: Program) -> Report:
        if time.monotonic() - start > most:
            reason = f"the time limit of {max(most, 0):g} s was reached"
            return replace(_lost(reason, part), not_begun=True)
        observed = observations.of_program(part) if settings.observed else {}
        report = answered(lane, number, observed)
        more: dict[str, Any] = {}
        if with_defaults and report.has_defaults and not report.incomplete:
            of_defaults = answered(lane, number, observed, assumes_defaults=True)
            more["by_default"] = [] if of_defaults.incomplete else of_defaults.facts
        if with_sizes and report.lacks_sizes and not report.incomplete:
            of_run = answered(lane, number, {**observed, "sizes": True})
            if not of_run.incomplete:
                # What the run has shown is unknown no longer: its notes tell what still is.
                seen = [*report.observed, *of_run.observed]
                more |= {"with_sizes": of_run.facts, "observed": seen, "notes": of_run.notes}
        if more:
            report = with_facts(replace(report, **more), report.facts, report.so_far)
        is_cut_off = report.incomplete and not report.unevaluated
        entries = _entries(part)
        names = tuple(name for name in entries if name in report.cut_off) or entries
        return replace(report, cut_off=names if is_cut_off else ())

    reports = side_by_side.each(parts, lanes, evaluated, stop, tell)
    notes = [note for program in programs for note in program.notes]
    report = _joined(reports, next(filter(None, map(unwalled, children)), ""))
    return replace(report, notes=[*dict.fromkeys([*notes, *report.notes])])


def _children(
    python: str, settings: Settings, cache: Path | None, arguments: tuple[str, ...], lanes: int
) -> list[Evaluator]:
    """A child for each lane. The first is the one that all evaluations of this process share."""
    version = jax_version(python)
    return [
        evaluator(
            *(python, settings.time_limit, cache, version, arguments), packages=settings.trusted, lane=lane
        )
        for lane in range(lanes)
    ]


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
        has_defaults=any(report.has_defaults for report in reports),
        lacks_sizes=any(report.lacks_sizes for report in reports),
        expressions=[each for report in reports for each in report.expressions],
        calls=[call for report in reports for call in report.calls],
        lost=[*dict.fromkeys([*missing, *(reason for report in reports for reason in report.lost)])],
        unevaluated=unevaluated,
        nothing_evaluated=bool(reports) and all(report.nothing_evaluated for report in reports),
        unwalled=unwalled,
        cut_off=(*dict.fromkeys(file for report in reports for file in report.cut_off),),
        by_default=facts_for_all(reports, lambda report: report.by_default),
        observed=[place for report in reports for place in report.observed],
        with_sizes=facts_for_all(reports, lambda report: report.with_sizes),
    )
    facts = facts_for_all(reports, lambda report: report.facts)
    return with_facts(joined, facts, facts_for_all(reports, lambda report: report.so_far))


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


def ask(
    child: Evaluator,
    program: Program,
    settings: Settings,
    seconds: float = SECONDS,
    assumes_defaults: bool = False,
    observed: Any = None,
    errors_alone: bool = False,
    annotated_alone: bool = False,
) -> Report:
    """What the child says of a program; with `assumes_defaults`, of a run without options on its command line.

    `observed` is what recorded runs got from outside of it, as `observations` has it.
    """
    asked = request(program, settings, seconds, packages_digest(child.python), assumes_defaults, observed)
    project, answer = str(program.root.resolve()), None
    # What is said of one file, or of a small program, the editor and `show` ask as well.
    errors_alone = errors_alone and len(program.entries) > 1 and len(program.modules) > MOST_WHOLE
    if errors_alone or annotated_alone:
        answer = child.kept(asked, project)
        asked["program"][ERRORS_ALONE if errors_alone else ANNOTATED_ALONE] = True
    if answer is None:
        child.modules = program.library_modules()
        answer = child.ask(asked, seconds + GRACE, project=project)
    return _report(answer, program)


def request(
    program: Program,
    settings: Settings,
    seconds: float,
    packages: str,
    assumes_defaults: bool = False,
    observed: Any = None,
) -> dict[str, Any]:
    """The request for one program; the answer depends on nothing else."""
    of_jax = settings.promotion in ("standard", "strict")
    ports = _ports(program, settings) if settings.port else {}
    return {
        "program": {
            "entries": program.entries,
            "modules": {name: module.as_json() for name, module in program.modules.items()},
            "trust": settings.trusted,
            "seconds": seconds,
            **({"files": files} if (files := data_files.texts_of(program)) else {}),
            **({"arrays": arrays} if (arrays := data_files.arrays_of(program)) else {}),
            **({"watched": program.watched} if program.watched else {}),
            **({"observed": observed} if observed else {}),
            **({"elsewhere": sorted(program.elsewhere)} if program.elsewhere else {}),
            **({"assumes_defaults": True} if assumes_defaults else {}),
            **({"ports": ports} if ports else {}),
            # What holds for the functions that nothing calls: they are called after what the modules say.
            "x64": x64.is_on(program, settings.x64),
        },
        "x64": x64.begins_with(program, settings.x64),
        "promotion": settings.promotion if of_jax else "standard",
        **({} if of_jax else {"system": settings.promotion}),
        "packages": packages,  # the child does not look at them: it has them
    }


def _ports(program: Program, settings: Settings) -> dict[str, list[str]]:
    """The files of a program that are ported from other libraries, by these."""
    paths: dict[str, list[str]] = {}
    for module in program.modules.values():
        for library in settings.ported(Path(module.path)):
            paths.setdefault(library, []).append(module.as_json()["path"])
    return paths


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
