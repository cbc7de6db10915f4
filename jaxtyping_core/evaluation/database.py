"""Opens the file of answers, if that is what it is.

A database of SQLite is a program: a view, a trigger or a virtual table in it is code that runs when a table is read or
written. The file is in the user's own folder; but a cache is carried about, by CI for instance. So nothing is asked of a file
before it is known to be one of ours: a regular file of the user's, no link, with our mark in its header, and with exactly our
table in it. Another file is neither changed nor deleted.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

#: Seconds to wait for another process that writes.
PATIENCE = 2.0
#: Seconds that one statement may take, waiting aside; those of ours take milliseconds.
SECONDS = 5.0
#: Bytes of an answer with its key.
MOST_BYTES = 64_000_000
#: What `PRAGMA application_id` says of a file of answers.
MAGIC = 0x6A746163
#: What stands at some places of the header: the format, that there is no write-ahead log, and `MAGIC`.
_HEADER, _MARKS = 100, {0: b"SQLite format 3\0", 18: b"\1\1", 68: MAGIC.to_bytes(4, "big")}
TABLE = "CREATE TABLE answers (key BLOB PRIMARY KEY, answer TEXT, proof BLOB)"
#: All that is in a file of answers. SQLite makes the index by itself.
SCHEMA = [
    ("index", "sqlite_autoindex_answers_1", "answers", None),
    ("table", "answers", "answers", TABLE),
]
_SCHEMA_OF = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name DESC LIMIT 3"
#: Steps of SQLite's machine from one look at the clock to the next.
_STEPS = 1000
#: Held by each use of a file: where POSIX has the locks, to close a file that has been looked at gives up those that SQLite holds of it.
LOCK = threading.Lock()
#: Files that SQLite reads and writes beside a database. We have it make none, so that one that is there is not ours: by a journal
#: it would even delete another file, which the journal names.
_BESIDE = ("-journal", "-wal", "-shm")


class NotOursError(Exception):
    """A file, or its folder, is not what this package has made there; the message says why."""


class DamagedError(Exception):
    """A file has our mark, and cannot be read."""


class Limit:
    """Ends statements that take too long."""

    def __init__(self) -> None:
        self._end = 0.0
        self.begin()

    def begin(self) -> None:
        """Another statement begins."""
        self._end = time.monotonic() + SECONDS + PATIENCE

    def is_passed(self) -> int:
        """What SQLite asks now and then; true to stop."""
        return time.monotonic() > self._end


def connect(file: Path) -> tuple[sqlite3.Connection, Limit]:
    """A connection to the file, which is made if there is none. `LOCK` is held.

    Raises:
        NotOursError: it is something else, which stays as it is.
        DamagedError: it was ours.
        OSError, sqlite3.OperationalError: it cannot be used, now at least.
    """
    _make_folder(file.parent)
    is_new = _check_files(file)
    if is_new:  # so that nobody else can read it, and no link that comes to be there now is followed
        with contextlib.suppress(FileExistsError):
            os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    limit = Limit()
    connection = sqlite3.connect(file, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        _restrict(connection, limit.is_passed)
        _check_schema(connection, file)
    except sqlite3.OperationalError:
        connection.close()
        raise
    except sqlite3.DatabaseError as error:
        connection.close()
        raise DamagedError(str(error)) from error
    except NotOursError:
        connection.close()
        raise
    return connection, limit


def _make_folder(folder: Path) -> None:
    """Make the folder for the user alone, or see that it is the user's."""
    if not os.path.lexists(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise NotOursError(f"{folder} is not a folder")
    if not _is_own(status):
        raise NotOursError(f"{folder} belongs to another user")
    if sys.platform != "win32" and status.st_mode & stat.S_IWOTH:
        raise NotOursError(f"other users can write to {folder}")


def _check_files(file: Path) -> bool:
    """See that the file is the user's own, and that nothing is beside it; whether there is none yet."""
    for name in _BESIDE:
        beside = file.with_name(file.name + name)
        if os.path.lexists(beside):
            raise NotOursError(f"{beside} was not made by jaxtyping-core")
    if not os.path.lexists(file):
        return True
    _check_file(file)
    with file.open("rb") as opened:
        header = opened.read(_HEADER)
    # An empty one is being made by another process.
    if header and any(header[at : at + len(mark)] != mark for at, mark in _MARKS.items()):
        raise NotOursError(f"{file} was not made by jaxtyping-core")
    return False


def _check_file(file: Path) -> None:
    status = file.lstat()
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        raise NotOursError(f"{file} is a link, or not a file")
    if not _is_own(status):
        raise NotOursError(f"{file} belongs to another user")


def _is_own(status: os.stat_result) -> bool:
    return sys.platform == "win32" or status.st_uid == os.geteuid()


def _restrict(connection: sqlite3.Connection, is_passed: Callable[[], int]) -> None:
    """Switch off what a file of answers has no need of; nothing here reads the file."""
    connection.set_progress_handler(is_passed, _STEPS)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MOST_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 0)
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_TRIGGER, False)
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_VIEW, False)
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, False)
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE, True)
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "mmap_size = 0"):
        connection.execute(f"PRAGMA {pragma}")
    # A power cut, or the end of a process that writes, may cost the file, which is only a cache.
    for pragma in ("synchronous = OFF", "journal_mode = MEMORY"):
        connection.execute(f"PRAGMA {pragma}")


def _check_schema(connection: sqlite3.Connection, file: Path) -> None:
    """See that exactly our table is in the file, or make it in an empty one."""
    schema = connection.execute(_SCHEMA_OF).fetchall()
    if not schema:
        connection.execute("BEGIN IMMEDIATE")
        try:
            schema = connection.execute(_SCHEMA_OF).fetchall()
            if not schema:  # no other process was faster
                connection.execute(f"PRAGMA application_id = {MAGIC}")
                connection.execute(TABLE)
                schema = connection.execute(_SCHEMA_OF).fetchall()
        finally:
            connection.execute("COMMIT")
    if schema != SCHEMA:
        raise NotOursError(f"{file} has tables, views or triggers that jaxtyping-core did not make")
