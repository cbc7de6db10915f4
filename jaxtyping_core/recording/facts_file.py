"""A file of facts, as SQLite has it: whether it is ours, its tables, and how calls are written in it."""

from __future__ import annotations

import contextlib
import functools
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jaxtyping_core.errors import CommandError
from jaxtyping_core.recording.observed import Call, decode, encode

#: Seconds to wait for another process that writes.
PATIENCE = 10.0
#: What `PRAGMA application_id` and `user_version` say of a file of facts.
MAGIC, FORMAT = 0x6A746672, 1
#: What is in a file of facts.
TABLES = """
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


def connected(path: Path, named: Path | None = None) -> sqlite3.Connection:
    """A connection to a file of facts, or to one that is empty.

    Raises:
        CommandError: it cannot be opened, or is something else.
    """
    named = named or path
    with readable(named):
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
        connection.executescript(TABLES)
        return _schema(connection)


@contextlib.contextmanager
def readable(path: Path) -> Iterator[None]:
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


def encoded(call: Call) -> str:
    """A call as the file has it."""
    arguments = [[name, encode(value)] for name, value in call.arguments]
    return to_json([arguments, None if call.returned is None else encode(call.returned)])


def decoded(text: str) -> Call:
    """The call that a text of the file says."""
    arguments, returned = json.loads(text)
    named = tuple((name, decode(value)) for name, value in arguments)
    return Call(named, None if returned is None else decode(returned))


def to_json(data: Any) -> str:
    """Data as the file has it."""
    return json.dumps(data, separators=(",", ":"))
