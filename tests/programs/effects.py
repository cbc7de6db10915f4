"""What a hostile program of `hostile/` could do, and whether it did: files, connections, processes.

The first word of its docstring says what it attempts:

- file: something appears in the folder that it runs in;
- connection: it connects to `PORT` on this machine, which stands in its text;
- process: a process stays;
- time, memory, crash, end: it does not end by itself, takes more than there is, or takes its process with it;
- output: it writes "forged" where answers are read;
- state: what is evaluated after it comes out otherwise.
"""

from __future__ import annotations

import ast
import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

HOSTILE = Path(__file__).with_name("hostile")
#: The port in the sources; a test listens at another one and puts that in its place.
PORT = "49151"
KINDS = ("file", "connection", "process", "time", "memory", "crash", "end", "output", "state")


def kind(source: str) -> str:
    """What a hostile program attempts."""
    return (ast.get_docstring(ast.parse(source)) or "").partition(":")[0]


class Listener:
    """A socket of this machine, and whether anyone connected to it."""

    def __init__(self) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.setblocking(False)
        self.port = str(self._socket.getsockname()[1])

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
