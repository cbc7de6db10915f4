"""What a client is to say of a program, and what it says, in the same words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from jaxtyping_core.programs.places import Place
from jaxtyping_core.programs.report import Report
from jaxtyping_core.showing.listing import OPEN

from .cases import Case
from .marks import MAYBE, ErrorMark, spelled


class Error(NamedTuple):
    """What a client refuses in a line."""

    line: int
    kind: str
    message: str


class Said(NamedTuple):
    """What is said of a program: the values of places by their line and name, and errors by their lines."""

    places: Mapping[tuple[int, str], list[str]]
    errors: Mapping[int, list[str]]


def expected(case: Case, client: str) -> Said:
    """What a client is to say."""
    places: dict[tuple[int, str], list[str]] = {}
    for place in places_for(case, client):
        value = _as_seen(spelled(place), client)
        places.setdefault((place.line, place.name), []).append(value)
    errors: dict[int, list[str]] = {}
    for mark in errors_for(case, client):
        errors.setdefault(mark.line, []).append(str(mark))
    return Said(places, {line: sorted(texts) for line, texts in errors.items()})


def said(case: Case, client: str, places: Iterable[Place], errors: Iterable[Error]) -> Said:
    """What a client says of the places that are marked for it, and which errors it reports: those that are marked as their marks."""
    wanted = {(place.line, place.name): list[str]() for place in places_for(case, client)}
    for place in sorted(places, key=lambda place: place.column):
        if (place.line, place.name) in wanted and not place.is_open:
            wanted[place.line, place.name].append(_as_seen(spelled(place), client))
    # What the evaluation finds, the plugin reports as well.
    marks = [*errors_for(case, client), *(errors_for(case, "engine") if client == "plugin" else ())]
    texts: dict[int, set[str]] = {}
    for error in errors:
        fitting = [
            str(mark) for mark in marks if mark.line == error.line and mark.fits(error.kind, error.message)
        ]
        texts.setdefault(error.line, set()).update(fitting or [f"{error.kind}: {error.message}"])
    return Said(
        {key: values or [OPEN] for key, values in wanted.items()},
        {line: sorted(of_line) for line, of_line in texts.items()},
    )


def said_by_report(case: Case, client: str, report: Report, file: str) -> Said:
    """The same of a report, and one of its files."""
    places = [place for place in report.places if place.file == file]
    errors = [Error(each.line, each.kind, each.message) for each in report.refusals if each.file == file]
    return said(case, client, places, errors)


def places_for(case: Case, client: str) -> list[Place]:
    """The places that are marked, as a client knows them."""
    own = {mark.place.spot: mark.place for mark in case.places if client in (mark.clients or ())}
    common = {mark.place.spot: mark.place for mark in case.places if mark.clients is None}
    if client == "plugin":  # a dtype class is that of a weak array as well
        common = {spot: _of_types(place) for spot, place in common.items()}
        own = {spot: _of_types(place) for spot, place in own.items()}
    return [*({**common, **own}).values()]


def errors_for(case: Case, client: str) -> list[ErrorMark]:
    """The errors that are marked, as a client has them."""
    own = [mark for mark in case.errors if client in (mark.clients or ())]
    lines = {mark.line for mark in own}
    common = [mark for mark in case.errors if mark.clients is None]
    rest = [mark for mark in common if mark.line not in lines]
    return [mark for mark in (*own, *rest) if mark.kind or mark.words]


def _of_types(place: Place) -> Place:
    return replace(place, known=replace(place.known, weak=place.weak or None))


def _as_seen(value: str, client: str) -> str:
    """A value as far as a client tells it: hints have no word on what may be weak."""
    return value.removeprefix(MAYBE) if client == "server" else value
