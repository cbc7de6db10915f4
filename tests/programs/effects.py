"""What a hostile program of `hostile/` could do, and whether it did: files, connections, processes.

The first word of its docstring says what it attempts:

- file: something appears in the folder that it runs in;
- connection: it connects to `PORT` on this machine, which stands in its text;
- process: a process stays;
- time, memory, crash, end: it does not end by itself, takes more than there is, or takes its process with it;
- output: it writes "forged" where answers are read;
- state: what is evaluated after it comes out otherwise.

Those of `tests/hostile` attempt these as well:

- change: a file that is there already becomes another one, or goes;
- secret: what a file, a variable of the environment or the system holds is told in an answer;
- kill: the process that has started the evaluation gets a signal;
- forged: an answer that no evaluation gave is believed.
"""

from __future__ import annotations

import ast
import contextlib
import os
import socket
from collections.abc import Iterator
from pathlib import Path

HOSTILE = Path(__file__).with_name("hostile")
#: The port in the sources; a test listens at another one and puts that in its place.
PORT = "49151"
KINDS = ("file", "connection", "process", "time", "memory", "crash", "end", "output", "state")
#: ... and those that only `tests/hostile` has.
MORE_KINDS = ("change", "secret", "kill", "forged")


def kind(source: str) -> str:
    """What a hostile program attempts."""
    return (ast.get_docstring(ast.parse(source)) or "").partition(":")[0]


class Listener:
    """A socket of this machine, and whether anyone connected to it."""

    def __init__(self, unix: str | None = None) -> None:
        """With `unix`, at that path instead; one that begins with a null byte is an abstract name."""
        if unix is None:
            self._socket = socket.create_server(("127.0.0.1", 0))
            self.port = str(self._socket.getsockname()[1])
        else:
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.bind(unix)
            self._socket.listen()
            self.port = unix
        self._socket.setblocking(False)

    def connected(self) -> bool:
        """Whether there was a connection since this was asked last; it is closed, so that nobody waits for an answer."""
        reached = False
        with contextlib.suppress(BlockingIOError):
            while True:
                self._socket.accept()[0].close()
                reached = True
        return reached

    def close(self) -> None:
        self._socket.close()


def descendants(pid: int) -> set[int]:
    """The processes below `pid` (of Linux; elsewhere none are seen)."""
    below = {child for task in Path(f"/proc/{pid}/task").glob("*") for child in children(task)}
    return below.union(*(descendants(child) for child in below))


def children(task: Path) -> list[int]:
    """The processes that a thread started."""
    try:
        return [int(child) for child in (task / "children").read_text().split()]
    except OSError:
        return []


def snapshot(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """What is in a folder: of each path the mode, the time of its last change and the content."""
    noticed = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        held = b""
        if path.is_symlink():
            held = os.fsencode(path.readlink())
        elif path.is_file():
            held = path.read_bytes() if os.access(path, os.R_OK) else b"?"
        time = 0 if path.is_dir() else status.st_mtime_ns
        noticed[str(path.relative_to(folder))] = (status.st_mode, time, held)
    return noticed


def peak_memory(pid: int) -> int:
    """The bytes that a process has held at most; 0 where that is not known."""
    with contextlib.suppress(OSError, StopIteration):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return 1024 * int(next(line for line in lines if line.startswith("VmHWM")).split()[1])
    return 0


def programs() -> Iterator[tuple[str, str]]:
    """The hostile programs: name and text."""
    for path in sorted(HOSTILE.glob("*.py")):
        yield path.stem, path.read_text(encoding="utf-8")
