"""A child that reads no program: it has imported JAX, and forks for each child that is wanted, which then need not import it.

A fork goes on as a child that was started by itself: it gets its arguments and its ends of pipes, and raises its own wall. The
nursery has read nothing but these.

A nursery of one process ends with it. One that is resident serves all processes of its user, and ends after a while without any.
It forks branches, too: nurseries that have imported more.
"""

from __future__ import annotations

import gc
import json
import os
import selectors
import signal
import socket
import struct
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

#: The arguments by which this process learns the number of its socket: the one that requests come through, or the one that others
#: connect to, and after how many seconds without a request it ends.
OPTION, RESIDENT = "nursery=", "resident="
#: Bytes of a request, and files that come with it, at most.
MOST_BYTES, MOST_FILES = 1 << 16, 8
#: Branches of a nursery that live at once; the oldest ends when there are more.
MOST_BRANCHES = 4
#: What the kernel says of the process at the other end: its number, its user and its group.
CREDENTIALS = struct.Struct("3i")


def named_in(arguments: Iterable[str]) -> Nursery | None:
    """The nursery that this process is to be; None if it is none."""
    for argument in arguments:
        if argument.startswith(OPTION):
            return Nursery(socket.socket(fileno=int(argument.removeprefix(OPTION))))
        if argument.startswith(RESIDENT):
            number, seconds = argument.removeprefix(RESIDENT).split(",")
            return Nursery(None, socket.socket(fileno=int(number)), float(seconds))
    return None


class Nursery:
    """Forks for each request.

    Args:
        requests: what requests come through; None for a resident nursery.
        listening: what others connect to; None for a nursery of one process.
        idle: seconds without a request after which it ends.

    Attributes:
        imports: imports modules, as far as they can be imported.
    """

    def __init__(
        self, requests: socket.socket | None, listening: socket.socket | None = None, idle: float = 0.0
    ) -> None:
        self.imports: Callable[[Sequence[str]], None] = lambda modules: None
        self._begin(requests, listening, idle)

    def _begin(
        self,
        requests: socket.socket | None,
        listening: socket.socket | None,
        idle: float,
        trunk: socket.socket | None = None,
    ) -> None:
        self._listening, self._idle, self._trunk = listening, idle, trunk
        #: What the branches of this one have as their trunk.
        self._branches: list[socket.socket] = []
        self._last = time.monotonic()  # when something was asked for
        #: The forks that run, by the connections that have asked for them.
        self._running: dict[socket.socket, set[int]] = {}
        self._selector = selectors.DefaultSelector()
        if listening is not None:
            listening.listen()  # once more: from now on the kernel names this process to those that connect
            self._selector.register(listening, selectors.EVENT_READ)
        if trunk is not None:
            self._selector.register(trunk, selectors.EVENT_READ)
        if requests is not None:
            self._connect(requests)

    def forked(self) -> list[str]:
        """Serve; return in the forks alone, with their arguments."""
        while True:
            left = self._last + self._idle - time.monotonic()
            ready = self._selector.select(None if self._running or self._branches else left)
            if not ready:
                _end()
            for key, _ in ready:
                if key.fileobj is self._listening:
                    self._accept()
                elif key.fileobj is self._trunk or key.fileobj in self._branches:
                    self._lose(key.fileobj)
                elif isinstance(key.fileobj, socket.socket) and key.fileobj in self._running:
                    arguments = self._serve(key.fileobj)  # not in a new branch, which has none of them
                    if arguments is not None:
                        return arguments

    def _connect(self, connection: socket.socket) -> None:
        self._running[connection] = set()
        self._selector.register(connection, selectors.EVENT_READ)

    def _accept(self) -> None:
        assert self._listening is not None
        connection, _ = self._listening.accept()
        credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
        if CREDENTIALS.unpack(credentials)[1] == os.getuid():
            self._connect(connection)
        else:
            connection.close()

    def _serve(self, connection: socket.socket) -> list[str] | None:
        """Serve one request, or the end of a connection; the arguments, in a fork."""
        try:
            text, files, _, _ = socket.recv_fds(connection, MOST_BYTES, MOST_FILES)
        except OSError:
            text, files = b"", []
        if not text:
            self._disconnect(connection)
            return None
        self._last = time.monotonic()
        running = self._running[connection]
        self._running[connection] = {pid for pid in running if not os.waitpid(pid, os.WNOHANG)[0]}
        request = json.loads(text)
        gc.freeze()  # what is shared with forks stays shared
        if "modules" in request:
            self._branch(request, *files)
            return None
        pid = os.fork()
        if not pid:
            return self._in_fork(request, files)
        self._running[connection].add(pid)
        for file in files:
            os.close(file)
        return None

    def _branch(self, request: dict[str, Any], listening: int) -> None:
        """Fork a nursery that imports modules, and goes on when this one ends. Returns in both."""
        ours, its = socket.socketpair()
        between = os.fork()
        if between:
            os.close(listening)
            its.close()
            os.waitpid(between, 0)
            self._branches.append(ours)
            self._selector.register(ours, selectors.EVENT_READ)
            if len(self._branches) > MOST_BRANCHES:
                self._lose(self._branches[0])
            return
        if os.fork():
            _end()
        ours.close()
        self._leave()
        gc.disable()
        self.imports(request["modules"])
        gc.enable()
        self._begin(None, socket.socket(fileno=listening), float(request["idle"]), its)

    def _lose(self, end: Any) -> None:
        """A branch has ended, or is the oldest of too many; or the trunk has ended. Who has none stays for those that are connected."""
        self._selector.unregister(end)
        end.close()
        self._last = time.monotonic()
        if end is self._trunk:
            self._idle, self._trunk = 0.0, None
        else:
            self._branches.remove(end)

    def _leave(self) -> None:
        """Give up all that is the nursery's, above all its connections."""
        self._selector.close()
        for own in (*self._running, *self._branches, *filter(None, [self._listening, self._trunk])):
            own.close()
        self._running.clear()

    def _in_fork(self, request: dict[str, list[str]], files: list[int]) -> list[str]:
        """Give up what is the nursery's; the arguments."""
        self._leave()
        for number in (0, 1):
            os.dup2(files[number], number)
            os.close(files[number])
        options = [f"{option}{file}" for option, file in zip(request["options"], files[2:], strict=True)]
        return [*request["arguments"], *options]

    def _disconnect(self, connection: socket.socket) -> None:
        """End the forks of a connection; each is waited for, so that its time counts as that of this process."""
        running = self._running.pop(connection)
        self._selector.unregister(connection)
        connection.close()
        for pid in running:
            os.kill(pid, signal.SIGKILL)
        for pid in running:
            os.waitpid(pid, 0)
        if self._listening is None and not self._running:
            _end()


def _end() -> NoReturn:
    os._exit(0)
