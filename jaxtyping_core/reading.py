"""How files of a checked project are read: regular files of a bounded size, and nothing else.

A repository may have a link to ``/dev/zero`` in the place of a module, or a pipe that nobody writes to. Whoever reads
that never ends, or fills the memory. mypy reads files by itself: `unreadable` tells beforehand what it must not be given.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

#: Bytes of a file that is read. The largest modules that people write have one or two million.
MOST_BYTES = 16_000_000
_CHUNK = 1 << 20
#: The ends of lines, as Python and editors count them.
NEWLINE = re.compile(r"\r\n|\r|\n")
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISSOCK, "a socket"),
)
#: A pipe without a writer must not block, and a terminal must not become that of this process. Windows has neither.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class UnreadableError(OSError):
    """A path is no regular file, or the file is too large. The message has no name of a file in it."""


def read_bytes(file: Path, most: int = MOST_BYTES) -> bytes:
    """The content of a file.

    Raises:
        UnreadableError: it is no regular file, or larger than `most` bytes.
        OSError: it cannot be read for another reason.
    """
    _refuse(file.stat(), most)  # first: to open a device may do something
    descriptor = os.open(file, _FLAGS)
    try:
        status = os.fstat(descriptor)
        _refuse(status, most)
        return _content(descriptor, most)
    finally:
        os.close(descriptor)


def read_text(file: Path, errors: str = "strict") -> str:
    """The content of a file in UTF-8, with ``\\n`` at the ends of lines.

    Raises:
        UnreadableError, OSError: as for `read_bytes`.
        UnicodeDecodeError: it is not UTF-8.
    """
    text = read_bytes(file).decode("utf-8", errors)
    return text.replace("\r\n", "\n").replace("\r", "\n")


def unreadable(file: Path, most: int = MOST_BYTES) -> str | None:
    """Why a path that exists is not read, without opening it; None if it may be read, or does not exist."""
    try:
        _refuse(file.stat(), most)
    except UnreadableError as error:
        return str(error)
    except OSError:  # whoever reads it says so
        pass
    return None


def _refuse(status: os.stat_result, most: int) -> None:
    kind = next((name for is_kind, name in _KINDS if is_kind(status.st_mode)), None)
    if kind is None and not stat.S_ISREG(status.st_mode):
        kind = "something else"
    if kind is not None:
        raise UnreadableError(f"it is {kind}, not a file")
    if status.st_size > most:
        raise UnreadableError(_too_large(_megabytes(status.st_size), most))


def _content(descriptor: int, most: int) -> bytes:
    """All that can be read; files of ``/proc`` have a size of 0, and others grow."""
    chunks: list[bytes] = []
    size = 0
    while chunk := os.read(descriptor, _CHUNK):
        chunks.append(chunk)
        size += len(chunk)
        if size > most:
            raise UnreadableError(_too_large(f"more than {_megabytes(most)}", most))
    return b"".join(chunks)


def _too_large(size: str, most: int) -> str:
    return f"{size} is too large to be read; the limit is {_megabytes(most)}"


def _megabytes(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.3g} MB"
