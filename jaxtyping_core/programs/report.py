"""What is said of programs, and how JSON holds it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from jaxtyping_core.programs import contexts, places
from jaxtyping_core.programs.contexts import Expression, Fact
from jaxtyping_core.programs.places import Place

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
    """An array that an error is about: where a variable got it, which one, and what it is."""

    file: str
    line: int
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """What JAX refuses in a program.

    Attributes:
        kind: a key of `protocol.CODES`.
        trail: the calls that lead there, the first one first; messages show the last one first.
        end_line: the last line of the expression.
        end_column: the column behind its end.
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
    #: The files of programs whose evaluation began and did not end.
    cut_off: tuple[str, ...] = ()
    #: The parameters of the programs' functions, where they are written, with what all calls have in common.
    parameters: list[Place] = field(default_factory=list)
    #: What is known in each context: `places` and `parameters` are what is shown of it.
    facts: list[Fact] = field(default_factory=list)
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
        lost=[str(reason) for reason in data.get("lost", ())],
        calls=[*data.get("calls", ())],
        facts=[*map(contexts.fact_from_json, data.get("facts", ()))],
        expressions=[*map(contexts.expression_from_json, data.get("expressions", ()))],
    )


def with_facts(report: Report, facts: Sequence[Fact]) -> Report:
    """A report with these facts, and with what is shown of them."""
    return replace(
        report,
        facts=[*facts],
        places=contexts.shown(fact for fact in facts if not fact.is_parameter),
        parameters=contexts.shown(fact for fact in facts if fact.is_parameter),
    )


def _refusal(data: Mapping[str, Any]) -> Refusal:
    trail = tuple(Step(**step) for step in data["trail"])
    return Refusal(**{**data, "trail": trail, "origins": tuple(Origin(**each) for each in data["origins"])})
