"""The facts of runs, read from one SQLite file.

A file of source is known by its path and the digest of its bytes: what was recorded of an older text of it is not of use any
more, and goes with the next recording. `fact_writer` writes them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.sites import Site
from jaxtyping_core.reading import read_bytes
from jaxtyping_core.recording.facts_file import connected, decoded, readable
from jaxtyping_core.recording.observed import Call, Function, Observed, decode

#: Of a file of facts that is read for an evaluation: its bytes, characters of a value, and sites of one file of source.
MOST_BYTES, MOST_TEXT, MOST_SITES = 1 << 28, 100_000, 5_000


class Place(NamedTuple):
    """An assignment to a name in a function that binds it but once: `line` counts from 1 and `column` from 0, as in `ast`."""

    line: int
    column: int
    name: str


@dataclass(slots=True)
class FileFacts:
    """What runs showed of one text of a file of source.

    `calls` counts the calls of each function; `attributes` is by the qualified name of a class, then by attribute. A count
    is at least what it says: a process that is killed has not written all of its own. `bodies` is what the file does
    without annotations; empty where that is not known.
    """

    digest: str
    calls: dict[Function, dict[Call, int]] = field(default_factory=dict)
    attributes: dict[str, dict[str, frozenset[Observed]]] = field(default_factory=dict)
    places: dict[Place, frozenset[Observed]] = field(default_factory=dict)
    bodies: str = ""

    @property
    def reached(self) -> frozenset[Function]:
        """The functions that were called."""
        return frozenset(self.calls)


@dataclass(frozen=True, slots=True)
class Facts:
    """What runs showed, by the absolute, resolved path of each file of source.

    Of a file of which several texts were recorded, it is the one that is there now, or else the one recorded last.
    """

    files: Mapping[Path, FileFacts]


def digest_of(source: bytes) -> str:
    """What a text of a file is known by."""
    return hashlib.sha256(source).hexdigest()


def load(path: Path) -> Facts:
    """The facts in a file.

    Raises:
        CommandError: there is no such file, or it holds no facts.
    """
    if not path.is_file():
        raise CommandError(
            f"{path}: there are no recorded calls; to record some, run jaxtyping-core record SCRIPT"
        )
    journal = path.with_name(f"{path.name}-journal")
    if os.path.lexists(journal):  # which may name other files, and SQLite would delete them
        raise CommandError(f"{journal}: the file was not written by jaxtyping-core; delete it")
    with contextlib.closing(connected(path)) as connection, readable(path):
        return Facts({file: _facts(connection, row, digest) for file, row, digest in _current(connection)})


def borders_of(path: Path, files: Iterable[Path]) -> dict[Path, dict[Site, Observed]]:
    """What came into some files from outside, as far as a file of facts has it; nothing where there is no such file.

    Raises:
        CommandError: it holds no facts.
    """
    journal = path.with_name(f"{path.name}-journal")
    if not path.is_file() or path.stat().st_size > MOST_BYTES or os.path.lexists(journal):
        return {}
    with contextlib.closing(connected(path)) as connection, readable(path):
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'borders'").fetchone():
            return {}
        query = "SELECT key, place, value FROM borders WHERE path = ? AND length(value) <= ? LIMIT ?"
        rows = ((file, connection.execute(query, (str(file), MOST_TEXT, MOST_SITES))) for file in files)
        return {
            file: {Site(key, place): decode(json.loads(value)) for key, place, value in own}
            for file, own in rows
        }


def _current(connection: sqlite3.Connection) -> Iterator[tuple[Path, int, str]]:
    """Of each file the text that counts."""
    by_path: dict[str, list[tuple[int, str]]] = {}
    for row, path, digest in connection.execute("SELECT id, path, digest FROM files ORDER BY id"):
        by_path.setdefault(path, []).append((row, digest))
    for path, texts in by_path.items():
        try:
            now = digest_of(read_bytes(Path(path)))
        except OSError:
            now = ""
        row, digest = next((text for text in texts if text[1] == now), texts[-1])
        yield Path(path), row, digest


def _facts(connection: sqlite3.Connection, row: int, digest: str) -> FileFacts:
    facts = FileFacts(digest)
    calls = "SELECT qualname, line, call, count FROM calls WHERE file = ?"
    for qualname, line, call, count in connection.execute(calls, (row,)):
        facts.calls.setdefault(Function(qualname, line), {})[decoded(call)] = count
    for function, counts in facts.calls.items():
        facts.calls[function] = _ended(counts)
    attributes = "SELECT class, name, value FROM attributes WHERE file = ?"
    for owner, name, value in connection.execute(attributes, (row,)):
        held = facts.attributes.setdefault(owner, {})
        held[name] = held.get(name, frozenset()) | {decode(json.loads(value))}
    places = "SELECT line, column, name, value FROM places WHERE file = ?"
    for line, column, name, value in connection.execute(places, (row,)):
        place = Place(line, column, name)
        facts.places[place] = facts.places.get(place, frozenset()) | {decode(json.loads(value))}
    with contextlib.suppress(sqlite3.OperationalError):  # older facts have no such table
        for (bodies,) in connection.execute("SELECT digest FROM bodies WHERE file = ?", (row,)):
            facts.bodies = bodies
    return facts


def _ended(calls: Mapping[Call, int]) -> dict[Call, int]:
    """Calls without those that were written when they began (with a count of 0) and of which an end is known."""
    known = {call.arguments for call, count in calls.items() if count}
    return {call: max(count, 1) for call, count in calls.items() if count or call.arguments not in known}
