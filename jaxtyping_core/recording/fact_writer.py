"""Writes the facts of runs into a file, which several processes may do at once.

Everything that is new is written at once, so that a run that is killed leaves all that it had shown; only counts wait.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from jaxtyping_core.errors import CommandError
from jaxtyping_core.programs.sites import Site
from jaxtyping_core.recording import DEFAULT
from jaxtyping_core.recording.facts_file import (
    FORMAT,
    MAGIC,
    TABLES,
    connected,
    decoded,
    encoded,
    readable,
    to_json,
)
from jaxtyping_core.recording.joining import join
from jaxtyping_core.recording.observed import Call, Function, Observed, decode, encode
from jaxtyping_core.recording.store import Place


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
        self._connection = connected(self.path, path)
        with readable(path):
            # Nothing is lost with the process; a power cut may cost the last facts.
            self._connection.execute("PRAGMA synchronous = OFF")
            with contextlib.suppress(
                sqlite3.OperationalError
            ):  # locked: another recording is doing it, for all
                self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            # In one transaction: another recording that looks at the file sees a file of facts, or an empty one.
            marks = f"PRAGMA application_id = {MAGIC}; PRAGMA user_version = {FORMAT};"
            self._connection.executescript(f"BEGIN IMMEDIATE; {marks} {TABLES} COMMIT;")

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
        return {decoded(call): count for call, count in rows}

    def add_calls(self, file: int, function: Function, calls: Iterable[tuple[Call, int]]) -> None:
        """Add to the counts of calls."""
        rows = []
        for call, count in calls:
            text = encoded(call)
            key = hashlib.sha256(text.encode(errors="surrogatepass")).digest()[:16]
            rows.append((file, function.qualname, function.line, key, text, count))
        self._write(
            "INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count",
            rows,
        )

    def add_attribute(self, file: int, owner: str, name: str, value: Observed) -> None:
        """Add a value that an attribute of the instances of a class had."""
        row = (file, owner, name, to_json(encode(value)))
        self._write("INSERT INTO attributes VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", [row])

    def add_place(self, file: int, place: Place, value: Observed) -> None:
        """Add a value that was assigned."""
        row = (file, *place, to_json(encode(value)))
        self._write("INSERT INTO places VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", [row])

    def add_border(self, path: Path, site: Site, value: Observed) -> Observed:
        """Add what an expression gave; what all runs have in common of it."""
        where = (str(path), *site)
        query = "SELECT value FROM borders WHERE path = ? AND key = ? AND place = ?"
        before = self._connection.execute(query, where).fetchone()
        joined = value if before is None else join(decode(json.loads(before[0])), value)
        row = (*where, to_json(encode(joined)))
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
