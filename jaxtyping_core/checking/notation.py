"""A parser of the notation in which mypy writes types.

It knows names, strings and brackets, and takes everything else for text: what it reads can be written
again as it was, whatever else mypy writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

NAME = r"[^\W\d]\w*(?:\.\w+)*"
STRING = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
TOKEN = re.compile(f"{NAME}|.", re.DOTALL)
#: Inside of brackets; outside of them a double quote ends a type, and an apostrophe is in a word.
INNER_TOKEN = re.compile(f"{NAME}|{STRING}|.", re.DOTALL)
CLOSING = {"[": "]", "(": ")", "{": "}"}
QUOTE = '"'


class NotationError(ValueError):
    """The brackets in a text do not match: it is no type."""


class Bracket(NamedTuple):
    """Brackets with the name before them, which may be empty, and the parts between their commas."""

    name: str
    opening: str
    items: tuple[Notation, ...]


#: Tokens and brackets in their order: together they are the text.
Notation = tuple[str | Bracket, ...]


def parse(text: str, start: int = 0) -> tuple[Notation, int]:
    """The type that starts at `start`, and where it ends: at a double quote, or with the text.

    Raises:
        NotationError: the brackets in it do not match.
    """
    notation, end = _parse_up_to(QUOTE, TOKEN, text, start)
    if text[end : end + 1] not in ("", QUOTE):
        raise NotationError(text[start:])
    return notation, end


def _parse_up_to(stop: str, tokens: re.Pattern[str], text: str, position: int) -> tuple[Notation, int]:
    """The notation before `stop`, a closing bracket or the end, and where it ends."""
    parts: list[str | Bracket] = []
    while position < len(text) and text[position] != stop and text[position] not in CLOSING.values():
        part: str | Bracket
        if text[position] in CLOSING:
            name = parts.pop() if parts and is_name(parts[-1]) else ""
            part, position = _parse_bracket(str(name), text, position)
        else:
            token = tokens.match(text, position)
            assert token is not None  # any character is a token
            part, position = token[0], token.end()
        parts.append(part)
    return tuple(parts), position


def _parse_bracket(name: str, text: str, position: int) -> tuple[Bracket, int]:
    """The brackets that open at `position`, and where they end."""
    opening = text[position]
    items: list[Notation] = []
    while not items or text[position : position + 1] == ",":
        item, position = _parse_up_to(",", INNER_TOKEN, text, position + 1)
        items.append(item)
    if text[position : position + 1] != CLOSING[opening]:
        raise NotationError(text)
    return Bracket(name, opening, tuple(items)), position + 1


def is_name(part: str | Bracket) -> bool:
    """Whether a part is a name, possibly with its module."""
    return isinstance(part, str) and part[0].isidentifier()


def brackets(notation: Notation) -> Iterator[Bracket]:
    """The brackets in a type, at any depth."""
    for part in notation:
        if isinstance(part, Bracket):
            yield part
            for item in part.items:
                yield from brackets(item)


def strip(notation: Notation) -> Notation:
    """A type without the spaces around it."""
    spaces = [part == " " for part in notation]
    start = spaces.index(False) if False in spaces else len(spaces)
    end = len(spaces) - spaces[::-1].index(False) if False in spaces else start
    return notation[start:end]


def split(notation: Notation, separator: str) -> list[Notation]:
    """The parts between the separators that are not in brackets."""
    items: list[list[str | Bracket]] = [[]]
    for part in notation:
        if part == separator:
            items.append([])
        else:
            items[-1].append(part)
    return [strip(tuple(item)) for item in items]
