"""What a client says of a program, as lines of text, and the comparison of two such answers.

A claim that was made may stay, or become more precise. One that is lost or less precise is a loss, and one that contradicts the
earlier one is a difference. Each needs a row with its reason in ``exceptions.toml``; that of a difference says why the earlier
claim was the worse one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.programs.places import Place

#: What a line begins with that is the name of a program; the claims about it follow.
HEADING = "== "


class Array(NamedTuple):
    """What is said of the array at a place; None is unknown."""

    dtype: str | None
    weak: bool | None
    shape: tuple[Dim, ...] | None


class Spot(NamedTuple):
    """A place of a program: in one of its files, by the line, the column, and the name."""

    file: str
    line: int
    column: int
    name: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column} {self.name}"


class Error(NamedTuple):
    """An error that is reported."""

    file: str
    line: int
    kind: str
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.kind}: {self.message}"


class Said(NamedTuple):
    """What is said of a program."""

    places: Mapping[Spot, Array]
    errors: frozenset[Error]


class Change(NamedTuple):
    """What is no longer said as it was."""

    where: str
    was: str
    now: str
    #: Whether less is said; else something different.
    is_loss: bool

    def __str__(self) -> str:
        return f"{self.where}: {'less' if self.is_loss else 'different'}: was {self.was}, is {self.now}"


def said(places: Iterable[tuple[str, Place]], errors: Iterable[Error]) -> Said:
    """What is said of places, each in a file of the program, and errors; nothing of open places."""
    known = {
        Spot(file, place.line, place.column, place.name): Array(place.dtype, place.weak, place.shape)
        for file, place in places
        if not place.is_open
    }
    return Said(known, frozenset(errors))


def written(answers: Mapping[str, Said]) -> str:
    """Answers as text, by program: a line of JSON for each claim."""
    return "".join(f"{line}\n" for name, answer in answers.items() for line in _lines(name, answer))


def _lines(name: str, answer: Said) -> Iterator[str]:
    yield HEADING + name
    for spot, array in sorted(answer.places.items()):
        yield json.dumps([*spot, *array])
    for error in sorted(answer.errors):
        yield json.dumps([*error])


def read(text: str) -> dict[str, Said]:
    """The answers that `written` has made a text of."""
    answers: dict[str, Said] = {}
    for part in f"\n{text}".split(f"\n{HEADING}")[1:]:
        name, *lines = part.splitlines()
        rows = [json.loads(line) for line in lines]
        places = {
            Spot(*row[:4]): Array(row[4], row[5], None if row[6] is None else tuple(row[6]))
            for row in rows
            if len(row) == len(Spot._fields) + len(Array._fields)
        }
        errors = frozenset(Error(*row) for row in rows if len(row) == len(Error._fields))
        answers[name] = Said(places, errors)
    return answers


def changes(before: Said, now: Said, is_right: bool) -> Iterator[Change]:
    """Where less is said than before, or something different; of a program that `is_right`, an error more is a difference."""
    for spot, was in before.places.items():
        here = now.places.get(spot, Array(None, None, None))
        if not says_more(here, was):
            yield Change(str(spot), shown(was), shown(here), is_loss=says_more(was, here))
    for error in sorted(before.errors - now.errors):
        again = [each for each in now.errors if each[:3] == error[:3]]
        now_said = "; ".join(each.message for each in again) or "nothing"
        yield Change(f"{error.file}:{error.line} {error.kind}", error.message, now_said, is_loss=not again)
    if is_right:
        for error in sorted(now.errors - before.errors):
            yield Change(f"{error.file}:{error.line} {error.kind}", "no error", error.message, is_loss=False)


def says_more(array: Array, other: Array) -> bool:
    """Whether what is said of an array has all that the other says."""
    dtype = other.dtype in (None, array.dtype)
    weak = other.weak is None or array.weak is other.weak
    if other.shape is None or array.shape is None:
        return dtype and weak and other.shape is None
    dims = len(array.shape) == len(other.shape) and all(
        theirs is None or ours == theirs for ours, theirs in zip(array.shape, other.shape, strict=True)
    )
    return dtype and weak and dims


def shown(array: Array) -> str:
    """What is said of an array, for a person."""
    weak = {None: "maybe weak ", True: "weak ", False: ""}[array.weak]
    dims = (
        "..." if array.shape is None else ", ".join("?" if dim is None else str(dim) for dim in array.shape)
    )
    return f"{weak}{array.dtype or '?'}[{dims}]"
