"""Starts evaluation children: on Linux as forks of a child that has imported JAX and reads no program.

Importing JAX takes longer than all that most children are asked, and a process that runs mypy has two of them. A child that took too
long is replaced, which costs no import either. The forks share the memory of what was imported.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Protocol

from jaxtyping_core.evaluation import resident
from jaxtyping_core.evaluation.wall import environ

#: The module of a child that can be a nursery, and the argument that makes it that, as the module has it.
MODULE, OPTION = "nursery.py", "nursery="
#: How often a nursery is asked for a fork: the first one may have ended.
ATTEMPTS = 2
#: The ends of pipes that a child has, by the arguments that it learns their numbers by.
Ends = Sequence[tuple[str, int]]


class Process(Protocol):
    """A child as a process; the number is that of its nursery until the child has told its own."""

    pid: int
    stdin: IO[bytes] | None
    stdout: IO[bytes] | None

    def kill(self) -> None:
        """End it."""
        ...

    def wait(self) -> int:
        """Wait until it has ended; what it ended with, if that is known."""
        ...


class Forked:
    """A fork of a nursery.

    Args:
        pid: the number of the nursery.
        stdin: where it reads what is written to this.
        stdout: where what it writes is read.
    """

    def __init__(self, pid: int, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        self.pid = pid
        self.stdin: IO[bytes] | None = stdin
        self.stdout: IO[bytes] | None = stdout
        self._handle: int | None = None

    def is_known_as(self, pid: int) -> None:
        """Take the number that the child tells before it reads a program."""
        with contextlib.suppress(OSError):  # it has ended
            self._handle = os.pidfd_open(pid)
        self.pid = pid

    def kill(self) -> None:
        """End it; one that has not told its number ends at the end of its pipes."""
        if self._handle is not None:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def wait(self) -> int:
        """Wait until it has ended."""
        handle, self._handle = self._handle, None
        if handle is not None:
            select.select([handle], [], [])
            os.close(handle)
        return 0


class Nursery:
    """A process that forks children.

    Args:
        requests: what forks are asked for by.
        pid: the number of the process.
        process: the process, if it is of this one alone.
    """

    def __init__(
        self, requests: socket.socket, pid: int, process: subprocess.Popen[bytes] | None = None
    ) -> None:
        self._requests, self.pid, self._process = requests, pid, process

    @property
    def is_over(self) -> bool:
        """Whether the process has ended; of a resident one, `fork` says so."""
        return self._process is not None and self._process.poll() is not None

    def fork(self, arguments: Sequence[str], ends: Ends) -> Forked:
        """A new child; it is asked for, and not waited for.

        Raises:
            OSError: the nursery has ended.
        """
        reads, stdin = os.pipe()
        stdout, writes = os.pipe()
        request = {"arguments": arguments, "options": [option for option, _ in ends]}
        child = Forked(self.pid, os.fdopen(stdin, "wb"), os.fdopen(stdout, "rb"))
        try:
            socket.send_fds(
                self._requests, [json.dumps(request).encode()], [reads, writes, *(end for _, end in ends)]
            )
        except OSError:
            for pipe in filter(None, (child.stdin, child.stdout)):
                pipe.close()
            raise
        finally:
            os.close(reads)
            os.close(writes)
        return child


def command(python: str, script: Path) -> list[str]:
    """How a child is started; not with -I, which would hide the packages that the user installed with `pip install --user`."""
    return [python, "-E", "-P", str(script)]


def start(
    python: str, script: Path, arguments: Sequence[str], ends: Ends, modules: Sequence[str] = ()
) -> Process:
    """Start a child.

    Args:
        python: its interpreter.
        script: what it runs.
        arguments: its arguments.
        ends: the ends of pipes that it has.
        modules: what it may have imported already, where that takes no time.

    Raises:
        OSError: it cannot be started.
    """
    variables = environ.scrubbed(os.environ)
    if sys.platform == "linux" and (script / MODULE).exists():
        for _ in range(ATTEMPTS):
            with contextlib.suppress(OSError), _lock:
                return _forked(python, script, variables, arguments, ends, modules)
    return subprocess.Popen(
        [*command(python, script), *arguments, *(f"{option}{end}" for option, end in ends)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=variables,
        pass_fds=[end for _, end in ends],
    )


def _forked(
    python: str,
    script: Path,
    variables: Mapping[str, str],
    arguments: Sequence[str],
    ends: Ends,
    modules: Sequence[str],
) -> Forked:
    """A fork of the nursery for such children.

    Raises:
        OSError: there is none, or it has ended.
    """
    key = (os.getpid(), python, script, *sorted(variables.items()), *modules)
    nursery = _nurseries.pop(key, None)  # one that has ended is no longer asked
    if nursery is None or nursery.is_over:
        nursery = _resident(python, script, variables, modules) or _own(python, script, variables)
    child = nursery.fork(arguments, ends)
    _nurseries[key] = nursery
    return child


def _resident(
    python: str, script: Path, variables: Mapping[str, str], modules: Sequence[str]
) -> Nursery | None:
    there = resident.connected(command(python, script), variables, modules) if resident.is_on() else None
    return None if there is None else Nursery(*there)


def _own(python: str, script: Path, variables: Mapping[str, str]) -> Nursery:
    """A nursery of this process alone.

    Raises:
        OSError: it cannot be started.
    """
    requests, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with its:
        process = subprocess.Popen(
            [*command(python, script), f"{OPTION}{its.fileno()}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=variables,
            pass_fds=[its.fileno()],
        )
    return Nursery(requests, process.pid, process)


#: By the process that started them, too: a fork of that has nurseries of its own.
_nurseries: dict[tuple[object, ...], Nursery] = {}
_lock = threading.Lock()
