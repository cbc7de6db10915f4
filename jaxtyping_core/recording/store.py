"""The facts of runs, in one SQLite file that several processes may write at once.

A file of source is known by its path and the digest of its bytes: what was recorded of an older text of it is not of use any
more, and goes with the next recording. Everything that is new is written at once, so that a run that is killed leaves all
that it had shown; only counts wait.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.sites import Site
from jaxtyping_core.reading import read_bytes
from jaxtyping_core.recording.joining import join
from jaxtyping_core.recording.observed import Call, Function, Observed, decode, encode

#: Where facts are if no other file is named, below the current folder.
DEFAULT = Path(".jaxtyping_core", "facts.sqlite3")
#: Seconds to wait for another process that writes.
PATIENCE = 10.0
#: Of a file of facts that is read for an evaluation: its bytes, characters of a value, and sites of one file of source.
MOST_BYTES, MOST_TEXT, MOST_SITES = 1 << 28, 100_000, 5_000
#: What `PRAGMA application_id` and `user_version` say of a file of facts.
MAGIC, FORMAT = 0x6A746672, 1
_TABLES = """
CREATE TABLE IF NOT EXISTS files (
    id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT, digest TEXT, UNIQUE (path, digest));
CREATE TABLE IF NOT EXISTS calls (
    file INTEGER REFERENCES files ON DELETE CASCADE, qualname TEXT, line INTEGER, key BLOB, call TEXT, count INTEGER,
    PRIMARY KEY (file, qualname, line, key)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS attributes (
    file INTEGER REFERENCES files ON DELETE CASCADE, class TEXT, name TEXT, value TEXT, PRIMARY KEY (file, class, name, value)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS places (
    file INTEGER REFERENCES files ON DELETE CASCADE, line INTEGER, column INTEGER, name TEXT, value TEXT,
    PRIMARY KEY (file, line, column, name, value)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS borders (
    path TEXT, key TEXT, place TEXT, value TEXT, PRIMARY KEY (path, key, place)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS bodies (
    file INTEGER PRIMARY KEY REFERENCES files ON DELETE CASCADE, digest TEXT);
"""


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
    with contextlib.closing(_connected(path)) as connection, _readable(path):
        return Facts({file: _facts(connection, row, digest) for file, row, digest in _current(connection)})


def borders_of(path: Path, files: Iterable[Path]) -> dict[Path, dict[Site, Observed]]:
    """What came into some files from outside, as far as a file of facts has it; nothing where there is no such file.

    Raises:
        CommandError: it holds no facts.
    """
    journal = path.with_name(f"{path.name}-journal")
    if not path.is_file() or path.stat().st_size > MOST_BYTES or os.path.lexists(journal):
        return {}
    with contextlib.closing(_connected(path)) as connection, _readable(path):
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
        facts.calls.setdefault(Function(qualname, line), {})[_decoded(call)] = count
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


class Writer:
    """Writes facts. It is used by one process and one thread at a time; a fork needs a writer of its own.

    Args:
        path: the file, which is made, as is its folder; facts that are in it already stay.

    Raises:
        CommandError: the file cannot be written, or is something else than facts.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()  # the program may change the current folder
        try:
            is_new = not self.path.parent.exists()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if is_new and self.path.parent.name == DEFAULT.parent.name:
                # As in the folders of caches: facts of one machine are nothing to commit.
                (self.path.parent / ".gitignore").write_text("*\n")
        except OSError as error:
            raise CommandError(
                f"cannot write {str(path)!r}: {error.strerror}; name another file with --out"
            ) from error
        self._connection = _connected(self.path, path)
        with _readable(path):
            # Nothing is lost with the process; a power cut may cost the last facts.
            self._connection.execute("PRAGMA synchronous = OFF")
            with contextlib.suppress(
                sqlite3.OperationalError
            ):  # locked: another recording is doing it, for all
                self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            # In one transaction: another recording that looks at the file sees a file of facts, or an empty one.
            marks = f"PRAGMA application_id = {MAGIC}; PRAGMA user_version = {FORMAT};"
            self._connection.executescript(f"BEGIN IMMEDIATE; {marks} {_TABLES} COMMIT;")

    def file(self, path: Path, digest: str, bodies: str = "") -> int:
        """The number of a text of a file; those of which the file has no such text any more are dropped."""
        row = (str(path), digest)
        self._connection.execute("INSERT INTO files (path, digest) VALUES (?, ?) ON CONFLICT DO NOTHING", row)
        self._connection.execute("DELETE FROM files WHERE path = ? AND digest <> ?", row)
        query = "SELECT id FROM files WHERE path = ? AND digest = ?"
        number = int(self._connection.execute(query, row).fetchone()[0])
        self._connection.execute("INSERT INTO bodies VALUES (?, ?) ON CONFLICT DO NOTHING", (number, bodies))
        return number

    def calls(self, file: int, function: Function) -> dict[Call, int]:
        """The calls of a function that are in the file already, but for those of which only the begin is."""
        query = "SELECT call, count FROM calls WHERE file = ? AND qualname = ? AND line = ? AND count > 0"
        rows = self._connection.execute(query, (file, function.qualname, function.line))
        return {_decoded(call): count for call, count in rows}

    def add_calls(self, file: int, function: Function, calls: Iterable[tuple[Call, int]]) -> None:
        """Add to the counts of calls."""
        rows = []
        for call, count in calls:
            text = _encoded(call)
            key = hashlib.sha256(text.encode(errors="surrogatepass")).digest()[:16]
            rows.append((file, function.qualname, function.line, key, text, count))
        self._write(
            "INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count",
            rows,
        )

    def add_attribute(self, file: int, owner: str, name: str, value: Observed) -> None:
        """Add a value that an attribute of the instances of a class had."""
        row = (file, owner, name, _json(encode(value)))
        self._write("INSERT INTO attributes VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", [row])

    def add_place(self, file: int, place: Place, value: Observed) -> None:
        """Add a value that was assigned."""
        row = (file, *place, _json(encode(value)))
        self._write("INSERT INTO places VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", [row])

    def add_border(self, path: Path, site: Site, value: Observed) -> Observed:
        """Add what an expression gave; what all runs have in common of it."""
        where = (str(path), *site)
        query = "SELECT value FROM borders WHERE path = ? AND key = ? AND place = ?"
        before = self._connection.execute(query, where).fetchone()
        joined = value if before is None else join(decode(json.loads(before[0])), value)
        row = (*where, _json(encode(joined)))
        self._connection.execute("INSERT OR REPLACE INTO borders VALUES (?, ?, ?, ?)", row)
        return joined

    def keep_borders(self, path: Path, keys: Iterable[str]) -> None:
        """Drop what was recorded of statements that a file does not have any more."""
        query = "SELECT DISTINCT key FROM borders WHERE path = ?"
        gone = {key for (key,) in self._connection.execute(query, (str(path),))} - {*keys}
        rows = [(str(path), key) for key in gone]
        self._connection.executemany("DELETE FROM borders WHERE path = ? AND key = ?", rows)

    def close(self) -> None:
        """Close the file; nothing is written afterwards."""
        self._connection.close()

    def _write(self, statement: str, rows: Sequence[tuple[Any, ...]]) -> None:
        """Write rows; nothing, where the text of the file that they are about is no longer the newest one."""
        with contextlib.suppress(sqlite3.IntegrityError):
            if len(rows) == 1:
                self._connection.execute(statement, rows[0])
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany(statement, rows)
            finally:  # what was written is right, however much of it that is
                self._connection.execute("COMMIT")


def _connected(path: Path, named: Path | None = None) -> sqlite3.Connection:
    """A connection to a file of facts, or to one that is empty.

    Raises:
        CommandError: it cannot be opened, or is something else.
    """
    named = named or path
    with _readable(named):
        connection = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("BEGIN")  # all of it at one time: another recording may be making the file
            (magic,) = connection.execute("PRAGMA application_id").fetchone()
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            tables = _schema(connection)
            connection.execute("COMMIT")
        except sqlite3.Error:
            connection.close()
            raise
    is_ours = tables <= _own_schema()  # a view or a trigger would run with each statement
    if is_ours and ((magic, version) == (MAGIC, FORMAT) or not (magic or tables)):
        return connection
    connection.close()
    if (magic, version) == (MAGIC, FORMAT):
        raise CommandError(f"{named}: the file was not written by jaxtyping-core alone; name another file")
    if magic == MAGIC:
        raise CommandError(
            f"{named}: the calls were recorded by another version of jaxtyping-core; delete the file and record the run again"
        )
    raise CommandError(f"{named}: the file is a database of another program; name another file")


def _schema(connection: sqlite3.Connection) -> frozenset[tuple[str, str, str]]:
    """What is in a database: the kind, the name and the text of each thing; of very many, some."""
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master LIMIT 100")
    return frozenset((kind, name, " ".join((sql or "").split())) for kind, name, sql in rows)


@functools.cache
def _own_schema() -> frozenset[tuple[str, str, str]]:
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(_TABLES)
        return _schema(connection)


@contextlib.contextmanager
def _readable(path: Path) -> Iterator[None]:
    """Says what is wrong with a file in one line.

    Raises:
        CommandError: SQLite cannot use the file.
    """
    try:
        yield
    except sqlite3.OperationalError as error:
        raise CommandError(f"cannot record into {str(path)!r}: {error}; name another file") from error
    except (sqlite3.DatabaseError, LookupError, TypeError, ValueError) as error:
        raise CommandError(f"{path}: the file has no recorded calls; name another file") from error


def _encoded(call: Call) -> str:
    arguments = [[name, encode(value)] for name, value in call.arguments]
    return _json([arguments, None if call.returned is None else encode(call.returned)])


def _decoded(text: str) -> Call:
    arguments, returned = json.loads(text)
    named = tuple((name, decode(value)) for name, value in arguments)
    return Call(named, None if returned is None else decode(returned))


def _json(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))
