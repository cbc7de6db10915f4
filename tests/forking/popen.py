"""``subprocess.Popen``, which has a nursery fork what that knows, and starts everything else as it always does."""

from __future__ import annotations

import inspect
import json
import os
import select
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from forking.homes import Home, home_of

#: The class with its private methods, which a fork needs and typeshed does not describe.
Popen: Any = subprocess.Popen
_PARAMETERS = [*inspect.signature(Popen._execute_child).parameters][1:]


class Forked(Popen):  # type: ignore[misc]  # of a class without a type, for the reason above
    """A process that may be a fork of a nursery, which waits for it and tells its exit status."""

    _connection: socket.socket | None = None

    def _execute_child(self, *arguments: Any) -> None:
        options = dict(zip(_PARAMETERS, arguments, strict=True))
        home = _home(options)
        if home is None:
            super()._execute_child(*arguments)
            return
        ends = [options["p2cread"], options["c2pwrite"], options["errwrite"]]
        streams = [own if end == -1 else end for own, end in enumerate(ends)]
        passed = [*options["pass_fds"]]
        request = {
            "arguments": home.takes([*map(os.fspath, options["args"])]),
            "folder": str(Path(os.fsdecode(options["cwd"] or ".")).absolute()),
            "environ": dict(os.environ if options["env"] is None else options["env"]),
            "numbers": [0, 1, 2, *passed],
            "session": options["start_new_session"],
        }
        text = json.dumps(request).encode()
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(home.address)
        socket.send_fds(self._connection, [len(text).to_bytes(8, "big")], [*streams, *passed])
        self._connection.sendall(text)
        self.pid = int.from_bytes(self._connection.recv(8), "big")
        self._child_created = True
        pipes = ("p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite")
        self._close_pipe_fds(*(options[pipe] for pipe in pipes))

    def _internal_poll(self, *arguments: Any, **others: Any) -> int | None:
        if self._connection is None:
            status: int | None = super()._internal_poll(*arguments, **others)
            return status
        if self.returncode is None and self._waitpid_lock.acquire(False):
            try:
                self._await_status(0)
            finally:
                self._waitpid_lock.release()
        ended: int | None = self.returncode
        return ended

    def _wait(self, timeout: float | None) -> int:
        if self._connection is None:
            status: int = super()._wait(timeout)
            return status
        with self._waitpid_lock:
            self._await_status(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        ended: int = self.returncode
        return ended

    def _await_status(
        self,
        timeout: float | None,
        ready: Callable[..., Any] = select.select,
        exit_code: Callable[[int], int] = os.waitstatus_to_exitcode,
        killed: int = signal.SIGKILL,
    ) -> None:
        """Note how the process has ended. Python asks for it when it ends itself, and modules are empty: what is needed is bound."""
        assert self._connection is not None
        if self.returncode is None and ready([self._connection], [], [], timeout)[0]:
            told = self._connection.recv(8)
            # A nursery that has ended has taken its forks with it.
            status = int.from_bytes(told, "big") if told else killed
            self.returncode = exit_code(status)
            self._connection.close()


def _home(options: dict[str, Any]) -> Home | None:
    """The nursery of a process, unless it is to have what a fork cannot have."""
    unusual = (
        *(options[name] for name in ("preexec_fn", "shell", "executable", "startupinfo")),
        *(options[name] is not None for name in ("gid", "gids", "uid")),
        options["umask"] != -1,
        options.get("process_group", -1) != -1,
        not options["close_fds"],
        isinstance(options["args"], str | bytes | os.PathLike),
        options["cwd"] is not None and not Path(options["cwd"]).is_dir(),
    )
    if any(unusual):
        return None
    variables = os.environ if options["env"] is None else options["env"]
    command = options["args"]
    if not all(isinstance(part, str | os.PathLike) for part in command):
        return None
    return home_of([*map(os.fspath, command)], variables)
