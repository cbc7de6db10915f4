"""``subprocess.Popen``, which has a nursery fork what that knows, and starts everything else as it always does."""

from __future__ import annotations

import inspect
import json
import os
import select
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

from forking.homes import Home, home_of

_PARAMETERS = [*inspect.signature(subprocess.Popen._execute_child).parameters][1:]  # type: ignore[attr-defined]


class Forked(subprocess.Popen):  # type: ignore[type-arg]
    """A process that may be a fork of a nursery, which waits for it and tells its exit status."""

    _connection: socket.socket | None = None

    def _execute_child(self, *arguments: Any) -> None:
        given = dict(zip(_PARAMETERS, arguments, strict=True))
        home = _home(given)
        if home is None:
            super()._execute_child(*arguments)  # type: ignore[misc]
            return
        ends = [given["p2cread"], given["c2pwrite"], given["errwrite"]]
        streams = [own if end == -1 else end for own, end in enumerate(ends)]
        passed = [*given["pass_fds"]]
        request = {
            "arguments": home.takes([*map(os.fspath, given["args"])]),
            "folder": os.path.abspath(given["cwd"] or "."),
            "environ": dict(os.environ if given["env"] is None else given["env"]),
            "numbers": [0, 1, 2, *passed],
            "session": given["start_new_session"],
        }
        text = json.dumps(request).encode()
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(home.address)
        socket.send_fds(self._connection, [len(text).to_bytes(8, "big")], [*streams, *passed])
        self._connection.sendall(text)
        self.pid = int.from_bytes(self._connection.recv(8), "big")
        self._child_created = True
        pipes = (
            "p2cread",
            "p2cwrite",
            "c2pread",
            "c2pwrite",
            "errread",
            "errwrite",
        )
        self._close_pipe_fds(*(given[pipe] for pipe in pipes))  # type: ignore[attr-defined]

    def _internal_poll(self, *arguments: Any, **others: Any) -> int | None:
        if self._connection is None:
            return super()._internal_poll(*arguments, **others)  # type: ignore[misc, no-any-return]
        if self.returncode is None and self._waitpid_lock.acquire(False):  # type: ignore[attr-defined]
            try:
                self._await_status(0)
            finally:
                self._waitpid_lock.release()  # type: ignore[attr-defined]
        return self.returncode

    def _wait(self, timeout: float | None) -> int:
        if self._connection is None:
            return super()._wait(timeout)  # type: ignore[misc, no-any-return]
        with self._waitpid_lock:  # type: ignore[attr-defined]
            self._await_status(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return self.returncode

    def _await_status(self, timeout: float | None) -> None:
        assert self._connection is not None
        if self.returncode is None and select.select([self._connection], [], [], timeout)[0]:
            told = self._connection.recv(8)
            # A nursery that has ended has taken its forks with it.
            status = int.from_bytes(told, "big") if told else int(signal.SIGKILL)
            self.returncode = os.waitstatus_to_exitcode(status)
            self._connection.close()


def _home(given: dict[str, Any]) -> Home | None:
    """The nursery of a process, unless it is to have what a fork cannot be given."""
    unusual = (
        *(given[name] for name in ("preexec_fn", "shell", "executable", "startupinfo")),
        *(given[name] is not None for name in ("gid", "gids", "uid")),
        given["umask"] != -1,
        given.get("process_group", -1) != -1,
        not given["close_fds"],
        isinstance(given["args"], str | bytes | os.PathLike),
        given["cwd"] is not None and not Path(given["cwd"]).is_dir(),
    )
    if any(unusual):
        return None
    variables = os.environ if given["env"] is None else given["env"]
    command = given["args"]
    if not all(isinstance(part, str | os.PathLike) for part in command):
        return None
    return home_of([*map(os.fspath, command)], variables)
