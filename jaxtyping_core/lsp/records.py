"""What the server and its worker send each other: one JSON object a line; a question may have several answers.

There are thousands of some records in the answer about a large file: those are tuples, which take least to make, to compare and to write.
Lines count from 0 and columns count characters, from 0.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, NamedTuple

from jaxtyping_core.domain import codec
from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.rules import ERROR


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked about some lines: "fixes" of the errors there, or the "annotations" of the function that begins there."""

    kind: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Request:
    """A file to look at, and the texts that the editor holds, by their paths; each is absolute."""

    number: int
    file: str
    texts: dict[str, str]
    #: None for what is known of the file.
    question: Question | None = None


class Span(NamedTuple):
    """A part of the text; the end is the character after it."""

    line: int
    column: int
    end_line: int
    end_column: int

    def holds(self, line: int, column: int) -> bool:
        """Whether a cursor there touches it."""
        return (self.line, self.column) <= (line, column) <= (self.end_line, self.end_column)


class Hint(NamedTuple):
    """What is known at a place, which stands at `line` and `column`: "name" or "return".

    `target` is the name, `annotation` what the source says there so far (an empty text for nothing), and `insertable`
    tells whether an annotation of the name may be put there. `is_observed` says that it rests on a recorded run.
    """

    line: int
    column: int
    kind: str
    target: str
    array: AbstractArray
    annotation: str = ""
    insertable: bool = False
    is_observed: bool = False


class Known(NamedTuple):
    """An expression, or a name where it is bound, and what it is; the notes say where that comes from, in Markdown.

    The name of a function that is called stands for what the call gives; its array is None where that is not known.
    """

    span: Span
    array: AbstractArray | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Related:
    """What is said of another line that an error has to do with; the file is absolute."""

    file: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A finding; `related` says where its arrays are made, and which calls lead there."""

    span: Span
    code: str
    message: str
    related: tuple[Related, ...] = ()
    severity: str = ERROR


@dataclass(frozen=True, slots=True)
class Edit:
    """A text that takes the place of a part."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits after which the error at `span` is gone, and no other is there; `title` is for the user."""

    title: str
    span: Span
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of a file; if `is_python` is false, only why the text is no Python for now.

    An answer to a question has the fixes that are found so far, and nothing else; one that is not the `last` is followed by more.

    `uses` are the files of the program, `jaxtyping` whether the file has annotations in that form,
    and `names` those that the module binds. The `complaints` are for the user: why there is nothing to say, if `is_known` is
    false, or not all; `notes` are for the log.
    """

    number: int
    is_python: bool = True
    last: bool = True
    hints: tuple[Hint, ...] = ()
    known: tuple[Known, ...] = ()
    problems: tuple[Problem, ...] = ()
    uses: tuple[str, ...] = ()
    jaxtyping: bool = False
    names: tuple[str, ...] = ()
    complaints: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fixes: tuple[Fix, ...] = ()
    #: The functions without annotations of whose calls something is known, with their lines.
    functions: tuple[tuple[str, int], ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether the file has been looked at."""
        return self.is_python and bool(self.uses)


def write(record: Request | Answer) -> bytes:
    """The line for a record."""
    return json.dumps(record, default=_fields).encode() + b"\n"


def _fields(record: Any) -> dict[str, Any]:
    """The fields of a record; `dataclasses.asdict` would copy all of it first, which takes long of a large file."""
    if isinstance(record, AbstractArray):
        return codec.encode(record)
    return {name: getattr(record, name) for name in record.__slots__}


def read_request(line: bytes) -> Request:
    """The request in a line."""
    data = json.loads(line)
    return Request(**{**data, "question": data["question"] and Question(**data["question"])})


def read_answer(line: bytes) -> Answer:
    """The answer in a line.

    Raises:
        LookupError, TypeError, ValueError: there is none.
    """
    data = json.loads(line)
    made: dict[str, Any] = {
        "hints": tuple(map(_hint, data["hints"])),
        "known": tuple(map(_known, data["known"])),
        "problems": tuple(map(_problem, data["problems"])),
        "uses": tuple(data["uses"]),
        "names": tuple(data["names"]),
        "complaints": tuple(data["complaints"]),
        "notes": tuple(data["notes"]),
        "fixes": tuple(map(_fix, data["fixes"])),
        "functions": tuple(map(tuple, data["functions"])),
    }
    return Answer(**{**data, **made})


def _hint(data: list[Any]) -> Hint:
    hint = Hint(*data)
    return hint._replace(array=codec.decode(data[4]))


def _known(data: list[Any]) -> Known:
    span, array, notes = data
    return Known(Span(*span), None if array is None else codec.decode(array), tuple(notes))


def _problem(data: dict[str, Any]) -> Problem:
    related = tuple(Related(**each) for each in data["related"])
    return Problem(**{**data, "span": Span(*data["span"]), "related": related})


def _fix(data: dict[str, Any]) -> Fix:
    edits = tuple(Edit(Span(*edit["span"]), edit["text"]) for edit in data["edits"])
    return Fix(data["title"], Span(*data["span"]), edits)
