"""The resident nursery: a process that stays for some minutes, so that the next command need not import JAX.

It is started by the first command that evaluates something, and is never needed: whatever is wrong with it, a command has a nursery
of its own. It reads no program, so what one program does never meets another. There is one for each user, interpreter, version of this
package, set of installed packages, and options of JAX.

Importing a library of layers takes as long as JAX itself. So the process forks branches: nurseries that have imported what programs
name, each for one set of modules. A program without libraries meets none of them.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import socket
import stat
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from jaxtyping_core.evaluation.versions import own_digest, packages_digest

#: The argument by which a child learns that it is one, as its module has it.
OPTION = "resident="
#: Seconds without a command after which it ends.
IDLE = 600.0
#: The variable that switches it off, and the values that do.
VARIABLE, OFF = "JAXTYPING_CORE_DAEMON", ("0", "false", "no", "off")
#: Variables that change nothing in a child: a process that was started with others serves as well.
WITHOUT_EFFECT = ("PATH", "LANG", "LANGUAGE", "LC_", "TZ")
#: What CI systems set. Nothing is gained there: each job begins anew, and may wait for what it has started.
CI = "CI"
#: Bytes of the address of a socket at most, as Linux has it.
LONGEST = 107
#: What the kernel says of the process at the other end: its number, its user and its group.
CREDENTIALS = struct.Struct("3i")
#: The processes that this one has started.
_processes: list[subprocess.Popen[bytes]] = []


class Connection(NamedTuple):
    """A connection to a resident nursery, by which forks are asked for, and the number of that process."""

    requests: socket.socket
    pid: int


def switch_off() -> None:
    """Have no resident nursery, here and in processes that this one starts."""
    os.environ[VARIABLE] = OFF[0]


def is_on() -> bool:
    """Whether there may be a resident nursery."""
    return (
        sys.platform == "linux" and os.environ.get(VARIABLE, "").lower() not in OFF and not os.environ.get(CI)
    )


def connected(
    command: Sequence[str], variables: Mapping[str, str], modules: Sequence[str] = ()
) -> Connection | None:
    """A connection to the resident nursery that `command` starts, which is started if there is none; None if that fails.

    Args:
        command: the interpreter, its options, and what it runs.
        variables: its environment.
        modules: what it has imported besides JAX.
    """
    address = _address(command, variables, modules)
    if address is None:
        return None
    there = _found(address)
    if there is not None or not modules:
        return there or _started(address, command, variables)
    trunk = connected(command, variables)
    return None if trunk is None else _branched(address, trunk, modules) or trunk


def folder() -> Path | None:
    """The user's own folder with the addresses of resident nurseries; None if it is not the user's alone."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    own = Path(runtime, "jaxtyping_core") if Path(runtime).is_absolute() else _temporary()
    try:
        own.mkdir(mode=0o700, exist_ok=True)
        status = own.lstat()
    except OSError:
        return None
    is_own = stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()
    return own if is_own and not status.st_mode & 0o077 else None


def _temporary() -> Path:
    return Path(tempfile.gettempdir(), f"jaxtyping_core-{os.geteuid()}")


def _address(command: Sequence[str], variables: Mapping[str, str], modules: Sequence[str]) -> str | None:
    where = folder()
    if where is None or not Path(command[0]).is_absolute():
        return None
    others = {name: value for name, value in variables.items() if not name.startswith(WITHOUT_EFFECT)}
    parts = [[*command], sorted(others.items()), packages_digest(command[0]), own_digest()]
    parts += [[*modules]] if modules else []
    address = str(where / hashlib.sha256(repr(parts).encode()).hexdigest()[:32])
    return address if len(os.fsencode(address)) <= LONGEST else None


def _found(address: str) -> Connection | None:
    """A connection to the process that listens there, if one does and it is the user's."""
    requests = _socket()
    try:
        requests.connect(address)
        pid, user = _peer(requests)
    except OSError:
        requests.close()
        return None
    if user != os.geteuid():
        requests.close()
        return None
    return Connection(requests, pid)


def _started(address: str, command: Sequence[str], variables: Mapping[str, str]) -> Connection | None:
    """A connection to a new process. Of two that are started at once, the later one is found by others, and both do their work."""

    def start(listening: socket.socket) -> int:
        process = subprocess.Popen(
            [*command, f"{OPTION}{listening.fileno()},{IDLE:g}"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=variables,
            cwd="/",
            pass_fds=[listening.fileno()],
            start_new_session=True,
        )
        _processes.append(process)
        _sweep(Path(address).parent)
        return process.pid

    return _listening_at(address, start)


def _branched(address: str, trunk: Connection, modules: Sequence[str]) -> Connection | None:
    """A connection to a new branch of a nursery; None if it cannot be asked for."""

    def ask(listening: socket.socket) -> int:
        request = {"modules": [*modules], "idle": IDLE}
        socket.send_fds(trunk.requests, [json.dumps(request).encode()], [listening.fileno()])
        return trunk.pid

    connection = _listening_at(address, ask)
    if connection is not None:
        trunk.requests.close()
    return connection


def _listening_at(address: str, hand_over: Callable[[socket.socket], int]) -> Connection | None:
    """A connection to the process that gets the listening socket of an address; `hand_over` gives its id. None if that fails."""
    new = f"{address}.{secrets.token_hex(4)}"
    requests = _socket()
    try:
        with _socket() as listening:
            listening.bind(new)
            listening.listen()
            requests.connect(new)
            pid = hand_over(listening)
            Path(new).replace(address)
    except OSError:
        requests.close()
        with contextlib.suppress(OSError):
            Path(new).unlink()
        return None
    return Connection(requests, pid)


def _sweep(where: Path) -> None:
    """Remove the addresses of processes that have ended."""
    for path in where.iterdir():
        with contextlib.suppress(OSError), _socket() as asking:
            if not path.suffix:  # others are being made
                try:
                    asking.connect(str(path))
                except ConnectionRefusedError:
                    path.unlink()


def _peer(connection: socket.socket) -> tuple[int, int]:
    """The number and the user of the process at the other end."""
    pid, user, _ = CREDENTIALS.unpack(
        connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, CREDENTIALS.size)
    )
    return pid, user


def _socket() -> socket.socket:
    return socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
