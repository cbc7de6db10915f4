"""Answers on disk, in one SQLite file that several processes may use at once.

Nothing that goes wrong with the file is an error: what cannot be read is evaluated again, what cannot be
written is forgotten, and a file that is no database is replaced. Each row carries a check of its contents, so
that a damaged one is not believed.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from pathlib import Path

#: Seconds to wait for another process that writes.
PATIENCE = 2.0
_TABLE = "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer TEXT, proof BLOB) WITHOUT ROWID"


class Cache:
    """Answers by request, for one version of JAX and of this package.

    Args:
        file: the SQLite file; its folder is made when something is written.
        versions: what else an answer depends on; answers for other versions stay, but are not found.
    """

    def __init__(self, file: Path, versions: str) -> None:
        self.file = file
        self._versions = versions
        self._connection: sqlite3.Connection | None = None
        self._usable = True

    def get(self, request: str) -> str | None:
        """The answer to a request, if it is there and whole."""
        if self._connection is None and not self.file.exists():
            return None
        key = self._key(request)
        try:
            query = "SELECT answer, proof FROM answers WHERE key = ?"
            row = self._open().execute(query, (key,)).fetchone() if self._usable else None
        except sqlite3.Error as error:
            self._recover(error)
            return None
        if row is None or not isinstance(row[0], str) or row[1] != _proof(key, row[0]):
            return None
        return row[0]

    def put(self, request: str, answer: str) -> None:
        """Keep an answer, if that is possible."""
        if not self._usable:
            return
        key = self._key(request)
        try:
            row = (key, answer, _proof(key, answer))
            self._open().execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", row)
        except sqlite3.Error as error:
            self._recover(error)

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
        self._connection = None

    def _key(self, request: str) -> bytes:
        return hashlib.sha256(f"{self._versions}\n{request}".encode()).digest()

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            try:
                self.file.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise sqlite3.OperationalError(str(error)) from error
            self._connection = sqlite3.connect(
                self.file, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            # A power cut may cost the file, which is only a cache.
            self._connection.execute("PRAGMA synchronous = OFF")
            self._connection.execute(_TABLE)
        return self._connection

    def _recover(self, error: sqlite3.Error) -> None:
        """Start anew where the file is no database; do without it where it cannot be used."""
        self.close()
        if isinstance(error, sqlite3.OperationalError):  # no permission, no space, or busy for too long
            self._usable = False
            return
        try:
            self.file.unlink(missing_ok=True)
        except OSError:
            self._usable = False


def _proof(key: bytes, answer: str) -> bytes:
    """What a row holds if nothing has happened to it."""
    return hashlib.sha256(key + answer.encode()).digest()[:8]
