"""Marks at the ends of lines: what is known of the places of a line, and which errors are there."""

from __future__ import annotations

import re
from typing import NamedTuple

from jaxtyping_core.domain.formatting import ANY_DIMS, ANY_DTYPE, ANY_SIZE
from jaxtyping_core.evaluation.protocol import CODES
from jaxtyping_core.programs.places import Place
from jaxtyping_core.showing.listing import OPEN

#: Those who are asked about a program.
CLIENTS = ("engine", "plugin", "show", "server", "true")
#: What is written of a client that reports no error in a line.
NO_ERROR = "-"
#: The word on an array of which it is not known whether it is weak.
MAYBE = "maybe weak "
MARK = re.compile(r"# (?P<what>[PE])(?:\((?P<clients>[^)]*)\))?: (?P<text>.*?)\s*(?=# [PE][(:]|$)")
#: What somebody meant as a mark.
LIKE_A_MARK = re.compile(r"#\s*[PEpe]\s*(?:\([^)]*\))?\s*:|# [PE] \w+:")
ARRAY = re.compile(r"(?P<weak>maybe weak |weak )?(?P<dtype>[\w<>?]+)\[(?P<dims>.*)\]")
NAME = re.compile(r"[^\W\d]\w*")
#: Between two dims, and not within the formula of one.
COMMA = re.compile(r",\s*(?![^(]*\))")


class MarkError(ValueError):
    """A mark means nothing, and where it stands."""


class PlaceMark(NamedTuple):
    """What is known of a place; `clients` are those that know it, or None for all others."""

    place: Place
    clients: frozenset[str] | None


class ErrorMark(NamedTuple):
    """An error in a line; no `kind` and no `words` stand for no error."""

    line: int
    kind: str | None
    words: str | None
    clients: frozenset[str] | None

    def fits(self, kind: str, message: str) -> bool:
        """Whether an error is this one."""
        pattern = ".*".join(map(re.escape, (self.words or "").split("...")))
        return self.kind in (None, kind) and re.search(pattern, message, re.DOTALL) is not None

    def __str__(self) -> str:
        return ": ".join(filter(None, (self.kind, self.words))) or NO_ERROR


def marks_of(file: str, number: int, line: str) -> tuple[list[PlaceMark], list[ErrorMark]]:
    """The marks of a line of a file, by its number.

    Raises:
        MarkError: one of them means nothing.
    """
    places: list[PlaceMark] = []
    errors: list[ErrorMark] = []
    try:
        for match in MARK.finditer(line):
            clients = None if match["clients"] is None else clients_of(match["clients"])
            if match["what"] == "P":
                of_line = [each.place.name for each in places if each.clients == clients]
                texts = match["text"].split(";")
                places += [PlaceMark(_place(file, number, text, of_line), clients) for text in texts]
            else:
                errors.append(_error(number, match["text"], clients))
        if LIKE_A_MARK.search(MARK.sub("", line)):
            raise MarkError("a mark is written `# P: name: float32[3]` or `# E: kind`")
    except MarkError as error:
        raise MarkError(f"{file}:{number}: {error}") from None
    return places, errors


def clients_of(text: str) -> frozenset[str]:
    """The clients that are named, with commas between them.

    Raises:
        MarkError: one of them is none.
    """
    clients = [client.strip() for client in text.split(",")]
    for client in clients:
        if client not in CLIENTS:
            raise MarkError(f"there is no client {client!r}; the clients are {', '.join(CLIENTS)}")
    return frozenset(clients)


def spelled(place: Place) -> str:
    """A place as marks have it."""
    if place.is_open:
        return OPEN
    is_unsure = place.weak is None and place.dtype is not None
    return MAYBE * is_unsure + place.value


def _place(file: str, number: int, text: str, of_line: list[str]) -> Place:
    name, colon, value = (part.strip() for part in text.partition(":"))
    if not colon or not NAME.fullmatch(name):
        raise MarkError(f"{text.strip()!r} tells of no place: it is written `name: float32[3]`")
    column = of_line.count(name)  # those of one name count from 0
    of_line.append(name)
    place = Place.of(file, number, column, name)
    if value == OPEN:
        return place
    match = ARRAY.fullmatch(value)
    if match is None:
        raise MarkError(f"{value!r} is no array: it is written `weak float32[3, ?]`, or {OPEN}")
    dtype = None if match["dtype"] == ANY_DTYPE else match["dtype"]
    weak = None if dtype is None or match["weak"] == MAYBE else bool(match["weak"])
    dims = COMMA.split(match["dims"]) if match["dims"] else []
    shape = None if dims == [ANY_DIMS] else tuple(map(_dim, dims))
    known = Place.of(file, number, column, name, dtype, weak, shape)
    if spelled(known) != value:
        raise MarkError(f"{value!r} is written {spelled(known)!r}")
    return known


def _dim(text: str) -> int | str | None:
    if not text.strip() or text == ANY_DIMS:
        raise MarkError(f"{text!r} is no size: it is a number, a name or {ANY_SIZE}")
    return None if text == ANY_SIZE else int(text) if text.isdigit() else text


def _error(number: int, text: str, clients: frozenset[str] | None) -> ErrorMark:
    if text == NO_ERROR and clients is not None:
        return ErrorMark(number, None, None, clients)
    kind, _, words = (part.strip() for part in text.partition(":"))
    if kind in CODES:
        return ErrorMark(number, kind, words or None, clients)
    if not any(map(str.isalnum, text)):
        raise MarkError(
            f"{text!r} tells of no error: it is a kind ({', '.join(CODES)}) or words of a message"
        )
    if NAME.fullmatch(text):
        raise MarkError(f"there is no kind {text!r}; the kinds are {', '.join(CODES)}")
    return ErrorMark(number, None, text, clients)
