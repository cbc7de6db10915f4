"""mypy's messages in its output, whether text or JSON: an error with its notes, or a note of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

#: What a terminal takes for a colour or a style.
ESCAPE = re.compile(r"\x1b\[[0-9;:]*[A-Za-z]|\x1b\([A-Z0-9]|\x0f")
#: What mypy puts before a line of the program, and before the line below that marks a part of it.
INDENT = "    "
#: An error or a note with its place, and with its code where mypy writes that.
TEXT = re.compile(
    r"(?P<file>.+?):(?P<line>\d+)(?::\d+)*: (?P<severity>error|note): (?P<text>.*?)(?:  \[(?P<code>[\w-]+)\])?$"
)
#: A line of --show-error-context, which says where the next messages are.
CONTEXT = re.compile(r".+?: note: (?:In |At top level)|.+?:\d+: note: \.\.\. from here")
#: How notes begin that belong to no error.
ALONE = re.compile(r"Revealed |.*\bjaxtyping_core\b")
ERROR = "error"
#: The codes that mypy writes in notes of its text; in JSON all notes have some.
CODES_OF_NOTES = ("annotation-unchecked", "deprecated")


@dataclass(slots=True)
class Message:
    """An error with its notes, a note, or a line of anything else that mypy says, which has no severity."""

    lines: list[str]
    severity: str = ""
    file: str = ""
    line: int = 0
    code: str | None = None
    text: str = ""
    notes: list[str] = field(default_factory=list)

    @property
    def place(self) -> tuple[Path, int]:
        """The file and the line."""
        return Path(self.file).resolve(), self.line


def messages(lines: Iterable[str]) -> Iterator[Message]:
    """The messages in mypy's output, in its order; the lines before a message that say where it is are among its own."""
    last: Message | None = None
    context: list[str] = []
    for line in lines:
        plain = ESCAPE.sub("", line)
        if CONTEXT.match(plain):
            context.append(line)
            continue
        read = _from_json(plain) if plain.startswith("{") else _from_text(plain)
        if last is not None and not context and _belongs(plain, read, last):
            last.lines.append(line)
            last.notes += [read.text, *read.notes] if read else ()
            continue
        if last is not None:
            yield last
        last = read or Message([], text=plain)
        last.lines, context = [*context, line], []
    if last is not None:
        yield last
    if context:
        yield Message(context)


def _belongs(plain: str, read: Message | None, last: Message) -> bool:
    """Whether a line is part of the message before it."""
    if read is None:
        return bool(last.severity) and plain.startswith(INDENT)
    is_own = read.severity == ERROR or read.code or ALONE.match(read.text)
    return last.severity == ERROR and not is_own


def _from_text(plain: str) -> Message | None:
    match = TEXT.fullmatch(plain)
    if match is None:
        return None
    return Message([], match["severity"], match["file"], int(match["line"]), match["code"], match["text"])


def _from_json(plain: str) -> Message | None:
    try:
        record = json.loads(plain)
        has_code = record["severity"] == ERROR or record["code"] in CODES_OF_NOTES
        notes: list[str] = [*str(record["hint"] or "").splitlines()]
        return Message(
            [],
            record["severity"],
            record["file"],
            record["line"],
            record["code"] if has_code else None,
            record["message"],
            notes,
        )
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
