"""A file of a program with what is known of it, line by line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from jaxtyping_core.domain.formatting import spell
from jaxtyping_core.programs.places import Place
from jaxtyping_core.programs.report import Origin, Refusal, Report, Step
from jaxtyping_core.rules import ERROR
from jaxtyping_core.showing.tokens import Token, highlight

#: What stands for the value of a place of which nothing is known.
OPEN = "?"
#: What follows a value that is known of some calls only, for the evaluation did not come to its end.
SO_FAR = " so far"
#: What follows a value in a run without options on the command line, where that says more than is known of all runs.
BY_DEFAULT = " by default"

#: What follows a value that rests on what a recorded run got from outside of the program.
OBSERVED = " observed"

Found = TypeVar("Found", Place, Refusal)


class Counts(NamedTuple):
    """How much is known: of so many places so many dtypes, ranks and whole shapes; and errors."""

    places: int
    dtypes: int
    ranks: int
    shapes: int
    errors: int


@dataclass(frozen=True)
class Line:
    """A line of the source: its number, its tokens, what is known in it and what is refused in it."""

    number: int
    tokens: list[Token]
    facts: list[Place]
    refusals: list[Refusal]

    @property
    def text(self) -> str:
        """The line as it is written."""
        return "".join(token.text for token in self.tokens)

    def index(self, column: int) -> int:
        """The character at a column, which counts bytes as those of `ast` do."""
        return len(self.text.encode()[:column].decode(errors="ignore"))


@dataclass(frozen=True)
class Listing:
    """A file, with what is known of it."""

    file: str
    lines: list[Line]

    @property
    def places(self) -> list[Place]:
        """The places of all lines."""
        return [place for line in self.lines for place in line.facts]

    @property
    def refusals(self) -> list[Refusal]:
        """The errors of all lines."""
        return [refusal for line in self.lines for refusal in line.refusals]


def listings(texts: Mapping[str, str], report: Report) -> list[Listing]:
    """The files of `texts` with what `report` says of them."""
    return [_listing(file, text, report) for file, text in texts.items()]


def _listing(file: str, text: str, report: Report) -> Listing:
    facts, refusals = _by_line(file, report.places), _by_line(file, report.refusals)
    lines = highlight(text)
    if lines and not lines[-1]:  # after the end of the last line
        lines.pop()
    numbered = enumerate(lines, 1)
    return Listing(file, [Line(i, tokens, facts.get(i, []), refusals.get(i, [])) for i, tokens in numbered])


def _by_line(file: str, things: Iterable[Found]) -> dict[int, list[Found]]:
    lines: dict[int, list[Found]] = defaultdict(list)
    for thing in sorted(things, key=lambda thing: thing.column):
        if thing.file == file:
            lines[thing.line].append(thing)
    return lines


def count(shown: Iterable[Listing]) -> Counts:
    """How much is known in some files together."""
    shown = list(shown)
    places = [place.shown for listing in shown for place in listing.places]
    return Counts(
        len(places),
        sum(known.dtype is not None for known in places),
        sum(known.shape is not None for known in places),
        sum(known.shape is not None and None not in known.shape for known in places),
        sum(refusal.severity == ERROR for listing in shown for refusal in listing.refusals),
    )


def message(refusal: Refusal) -> str:
    """What is wrong, with the severity of what is no error before it."""
    return refusal.message if refusal.severity == ERROR else f"{refusal.severity}: {refusal.message}"


def summary(counts: Counts) -> str:
    """What is known, in a sentence: ``12 places: dtype known at 10, rank at 10, shape at 8``."""
    known = f"dtype known at {counts.dtypes}, rank at {counts.ranks}, shape at {counts.shapes}"
    errors = f"; {plural(counts.errors, 'error')}" if counts.errors else ""
    return f"{plural(counts.places, 'place')}{f': {known}' if counts.places else ''}{errors}"


def plural(number: int, word: str) -> str:
    """A number of things."""
    return f"{number} {word}{'s' * (number != 1)}"


def value(place: Place) -> str:
    """What is known of a place."""
    if place.observed is not None:
        return f"{spell(place.observed)}{OBSERVED}"
    if place.by_default is not None:
        return f"{spell(place.by_default)}{BY_DEFAULT}"
    return OPEN if place.is_open else f"{place.value}{SO_FAR * place.so_far}"


def is_known(place: Place) -> bool:
    """Whether anything is known of a place, if only of a run without options."""
    return place.observed is not None or place.by_default is not None or not place.is_open


def trail(step: Step) -> str:
    """A call that leads to an error: ``called from main() at train.py:41 with x: float32[8, 784]``."""
    return caller(step, f"{step.file}:{step.line}") + (f" with {step.arguments}" if step.arguments else "")


def caller(step: Step, place: str) -> str:
    """Who calls: a function, if one is known, or the top level of a module; `place` is where."""
    return f"called from {step.caller}() at {place}" if step.caller else f"called from {place}"


def origin(made: Origin) -> str:
    """What a finding comes from: ``y: float32[8, 10], assigned at train.py:12``."""
    return f"{made.what}, {made.how} at {made.file}:{made.line}"
