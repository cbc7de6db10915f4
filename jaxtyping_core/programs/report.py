"""What is said of programs, and how JSON holds it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from jaxtyping_core.domain.arrays import TOP, AbstractArray, leq
from jaxtyping_core.domain.dims import Shape
from jaxtyping_core.programs import contexts, places
from jaxtyping_core.programs.contexts import Expression, Fact
from jaxtyping_core.programs.places import Place, Spot
from jaxtyping_core.rules import ERROR

#: How many files a note names.
MOST_NAMES = 3


@dataclass(frozen=True, slots=True)
class Step:
    """A call that leads to an error: where it is, its arguments, and the function that calls; "" for no function."""

    file: str
    line: int
    arguments: str
    caller: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """A line that a finding comes from: what is there, such as ``x: float32[3]``, and how, such as "assigned"."""

    file: str
    line: int
    what: str
    how: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """What JAX refuses in a program.

    Attributes:
        kind: a key of `protocol.CODES`.
        trail: the calls that lead there, the first one first; messages show the last one first.
        end_line: the last line of the expression.
        end_column: the column behind its end.
        severity: one of `severities.SEVERITIES`, which the settings of the project decide.
    """

    file: str
    line: int
    column: int
    kind: str
    message: str
    trail: tuple[Step, ...] = ()
    origins: tuple[Origin, ...] = ()
    end_line: int = 0
    end_column: int = 0
    severity: str = ERROR


class Unevaluated(NamedTuple):
    """Files whose programs were not evaluated at all, and why."""

    reason: str
    files: tuple[str, ...]

    def __str__(self) -> str:
        return f"{listed(self.files)} {'were' if len(self.files) > 1 else 'was'} not evaluated: {self.reason}"


def listed(files: Sequence[str]) -> str:
    """Names of files as a note has them: ``a.py, b.py, c.py and 5 more``."""
    names = [os.path.relpath(file) for file in files[:MOST_NAMES]]
    if more := len(files) - len(names):
        names.append(f"{more} more")
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last


class Span(NamedTuple):
    """A part of a file; the end is exclusive, as in `ast`."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class Report:
    """What is known of programs, what is refused in them, and what else there is to say."""

    places: list[Place] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: Whether some evaluation did not end: places are missing, and perhaps refusals.
    incomplete: bool = False
    #: Whether there was no time left to begin some evaluation.
    not_begun: bool = False
    #: The scripts and modules whose own evaluation began and did not end; all files of a program if that is not known.
    cut_off: tuple[str, ...] = ()
    #: The parameters of the programs' functions, where they are written, with what all calls have in common.
    parameters: list[Place] = field(default_factory=list)
    #: What is known in each context: `places` and `parameters` are what is shown of it.
    facts: list[Fact] = field(default_factory=list)
    #: The same where an evaluation did not come to its end: other calls may say otherwise.
    so_far: list[Fact] = field(default_factory=list)
    #: Functions that a program may call, and was not seen to call, because its evaluation did not come to its end.
    may_call: list[Span] = field(default_factory=list)
    #: Whether an option on the command line has a default.
    has_defaults: bool = False
    #: What is known of a run without options on the command line, if that was asked for.
    by_default: list[Fact] = field(default_factory=list)
    #: The variables that hold values which a recorded run got from libraries or files, with their dtypes and shapes.
    observed: list[Place] = field(default_factory=list)
    #: Whether sizes were observed that are left out, for they may be others next time; and what is known with them, if that was asked for.
    lacks_sizes: bool = False
    with_sizes: list[Fact] = field(default_factory=list)
    #: The expressions of the file of which they were asked for.
    expressions: list[Expression] = field(default_factory=list)
    #: The calls of the function that was asked for, as `jaxtyping_core.recording.observed` has them.
    calls: list[Any] = field(default_factory=list)
    #: What was left out of some programs, or why they were not evaluated at all.
    lost: list[str] = field(default_factory=list)
    #: The programs that were not evaluated at all, and whether that is all of them.
    unevaluated: list[Unevaluated] = field(default_factory=list)
    nothing_evaluated: bool = False
    #: Why the operating system does not isolate the process that evaluated the programs; empty if it does.
    unwalled: str = ""


def decode(data: Mapping[str, Any]) -> Report:
    """The report that JSON holds.

    Raises:
        LookupError, TypeError, ValueError: it holds none.
    """
    return Report(
        [places.from_json(place) for place in data.get("places", ())],
        [_refusal(refusal) for refusal in data["refusals"]],
        [str(note) for note in data["notes"]],
        incomplete=not data["complete"],
        cut_off=tuple(map(str, data.get("cut_off", ()))),
        lost=[str(reason) for reason in data.get("lost", ())],
        calls=[*data.get("calls", ())],
        facts=[*map(contexts.fact_from_json, data.get("facts", ()))],
        so_far=[*map(contexts.fact_from_json, data.get("so_far", ()))],
        may_call=[Span(file, *numbers) for file, numbers in data.get("may_call", ())],
        has_defaults=bool(data.get("has_defaults")),
        observed=[places.from_json(place) for place in data.get("observed", ())],
        lacks_sizes=bool(data.get("lacks_sizes")),
        expressions=[*map(contexts.expression_from_json, data.get("expressions", ()))],
    )


def facts_for_all(reports: Sequence[Report], facts: Callable[[Report], Sequence[Fact]]) -> list[Fact]:
    """The facts of several programs that hold for all of them, as far as it was seen.

    Of a function that one of them may call, and was not seen to call, what the others say is left out.
    """
    kept = []
    for report in reports:
        spans: dict[str, list[Span]] = {}
        for span in (span for other in reports if other is not report for span in other.may_call):
            spans.setdefault(span.file, []).append(span)
        kept += [fact for fact in facts(report) if not _is_in(fact.place, spans.get(fact.place.file, ()))]
    return kept


def _is_in(place: Place, spans: Iterable[Span]) -> bool:
    return any(
        (span.line, span.column) <= (place.line, place.column) < (span.end_line, span.end_column)
        for span in spans
    )


def with_facts(report: Report, facts: Sequence[Fact], so_far: Sequence[Fact] = ()) -> Report:
    """A report with these facts, and with what is shown of them."""
    report = replace(report, facts=[*facts], so_far=[*so_far])
    return replace(
        report, places=_shown(report, is_parameter=False), parameters=_shown(report, is_parameter=True)
    )


def _shown(report: Report, is_parameter: bool) -> list[Place]:
    """What is shown of the facts of places, or of those of parameters."""

    def known_of(facts: Iterable[Fact]) -> list[Place]:
        return contexts.shown(fact for fact in facts if fact.is_parameter == is_parameter)

    partial = {fact.place.spot for fact in report.so_far}
    known = {place.spot: place for place in known_of((*report.facts, *report.so_far))}
    outside = [] if is_parameter else report.observed
    usual, recorded = (
        _by_spot(known_of(report.by_default)),
        _by_spot([*outside, *known_of(report.with_sizes)]),
    )
    first = {place.spot: place for place in outside}
    shown = []
    for spot in sorted({*known, *usual, *recorded}):
        place = known.get(spot) or replace(usual.get(spot) or recorded.get(spot) or first[spot], known=TOP)
        default, observed = (_more(place.known, of_run.get(spot)) for of_run in (usual, recorded))
        if observed is None and spot in first:
            observed = place.known
        shown.append(replace(place, so_far=spot in partial, by_default=default, observed=observed))
    return shown


def _by_spot(known: Iterable[Place]) -> dict[Spot, Place]:
    return {place.spot: place for place in known}


def _more(known: AbstractArray, of_run: Place | None) -> AbstractArray | None:
    """What is known of one run of all, if that is more: it is more, or the same."""
    if of_run is None or not leq(of_run.known, known):
        return None
    return of_run.known if _what_is_told(of_run.known) != _what_is_told(known) else None


def _what_is_told(known: AbstractArray) -> tuple[str | None, Shape]:
    return known.dtype, known.shape


def _refusal(data: Mapping[str, Any]) -> Refusal:
    trail = tuple(Step(**step) for step in data["trail"])
    return Refusal(**{**data, "trail": trail, "origins": tuple(Origin(**each) for each in data["origins"])})
