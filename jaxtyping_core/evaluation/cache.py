"""Answers on disk, in one SQLite file that several processes may use at once.

Nothing that goes wrong with the file is an error: what cannot be read is evaluated again, what cannot be
written is forgotten, and a damaged file of ours is replaced. A file that is not ours is left alone, which a note says.
Each row carries a check of its contents, so that a damaged one is not believed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from pathlib import Path

from jaxtyping_core.evaluation import database
from jaxtyping_core.evaluation.database import LOCK, DamagedError, Limit, NotOursError
from jaxtyping_core.telling import tell

#: Bytes of the file after which the oldest answers go.
MOST_BYTES = 256_000_000
#: How many answers are written between two looks at the size, and how many of the oldest go for these.
STEP, OLDEST = 50, 100
_GET = "SELECT answer, proof FROM answers WHERE key = ?"
_PUT = "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)"
_DROP = "DELETE FROM answers WHERE rowid IN (SELECT rowid FROM answers ORDER BY rowid LIMIT ?)"


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
        self._limit = Limit()
        self._usable = True
        self._written = 0

    def get(self, request: str) -> str | None:
        """The answer to a request, if it is there and whole."""
        if not self._usable or (self._connection is None and not os.path.lexists(self.file)):
            return None
        key = self._key(request)
        try:
            with LOCK:
                row = self._open().execute(_GET, (key,)).fetchone()
        except (sqlite3.Error, OSError, NotOursError, DamagedError) as error:
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
            with LOCK:
                connection = self._open()
                connection.execute(_PUT, (key, answer, _proof(key, answer)))
                if self._written % STEP == 0:
                    self._drop_oldest(connection)
            self._written += 1
        except (sqlite3.Error, OSError, NotOursError, DamagedError) as error:
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
        """The connection, on which a statement begins."""
        if self._connection is None:
            self._connection, self._limit = database.connect(self.file)
        self._limit.begin()
        return self._connection

    def _drop_oldest(self, connection: sqlite3.Connection) -> None:
        """Keep the file from growing: the space of what goes is used again."""
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        (free,) = connection.execute("PRAGMA freelist_count").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        if (pages - free) * size > MOST_BYTES:
            connection.execute(_DROP, (OLDEST,))

    def _recover(self, error: Exception) -> None:
        """Start anew where the file is damaged; do without it where it cannot be used."""
        self.close()
        if isinstance(error, NotOursError):
            self._usable = False
            tell(f"answers are not cached: {error}")
        elif isinstance(error, DamagedError) or not isinstance(error, (sqlite3.OperationalError, OSError)):
            try:
                self.file.unlink(missing_ok=True)
            except OSError:
                self._usable = False
        else:  # no permission, no space, or busy for too long
            self._usable = False


def _proof(key: bytes, answer: str) -> bytes:
    """What a row holds if nothing has happened to it."""
    return hashlib.sha256(key + answer.encode()).digest()[:8]
