"""A process that has imported what others need, and forks: the loop that takes requests, and what a fork becomes."""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import gc
import io
import json
import os
import selectors
import signal
import socket
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from typing import Any, NoReturn

#: Files that come with one request at most.
MOST_FILES = 16
#: Numbers from here on are no process's own: files wait there until they get the numbers that they are to have.
ABOVE = 400
#: The exit status of a process that ends by an error.
FAILED = 1


def serve(address: str, run: Callable[[list[str]], object]) -> NoReturn:
    """Fork for each request that comes to `address`, until standard input ends; a fork calls `run` with its arguments."""
    request, files = _until_forked(address)
    _become(request, files)
    _end(_status_of(lambda: run(request["arguments"])))


def _until_forked(address: str) -> tuple[dict[str, Any], list[int]]:
    """The request that this process, a fork, is to do."""
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(address)
    listening.listen(64)
    gc.collect()
    gc.freeze()  # what is shared with forks stays shared
    with selectors.DefaultSelector() as selector:
        selector.register(listening, selectors.EVENT_READ)
        selector.register(0, selectors.EVENT_READ)
        print("ready", flush=True)
        while True:
            for key, _ in selector.select():
                if key.fd == 0:
                    os._exit(0)  # whoever has started this has ended
                if key.fileobj is not listening:
                    _report(selector, key)
                    continue
                connection, _ = listening.accept()
                request, files = _received(connection)
                if pid := os.fork():
                    _watch(selector, pid, connection)
                    for file in files:
                        os.close(file)
                    continue
                for other in [*selector.get_map().values()]:
                    if other.fd and other.fileobj is not listening:
                        os.close(other.fd)
                        other.data[1].close()
                listening.close()
                connection.close()
                return request, files


def _received(connection: socket.socket) -> tuple[dict[str, Any], list[int]]:
    head, files, _, _ = socket.recv_fds(connection, 8, MOST_FILES)
    left, text = int.from_bytes(head, "big"), b""
    while left:
        part = connection.recv(left)
        text, left = text + part, left - len(part)
    return json.loads(text), files


def _watch(selector: selectors.BaseSelector, pid: int, connection: socket.socket) -> None:
    """Tell who has asked the number of the process, and see when that ends."""
    selector.register(os.pidfd_open(pid), selectors.EVENT_READ, (pid, connection))
    _tell(connection, pid)


def _report(selector: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
    pid, connection = key.data
    selector.unregister(key.fileobj)
    os.close(key.fd)
    _, status = os.waitpid(pid, 0)
    _tell(connection, status)
    connection.close()


def _tell(connection: socket.socket, number: int) -> None:
    try:
        connection.sendall(number.to_bytes(8, "big"))
    except OSError:  # nobody listens any more
        return


def _become(request: dict[str, Any], files: list[int]) -> None:
    """Have the folder, the variables, the files and the streams of the request."""
    waiting = [fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, ABOVE) for file in files]
    for file in files:
        os.close(file)
    for file, number in zip(waiting, request["numbers"], strict=True):
        os.dup2(file, number)
        os.close(file)
    if request["session"]:
        os.setsid()
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environ"])
    sys.argv = list(request["arguments"])
    tempfile.tempdir = None
    gc.enable()
    _open_streams()


def _open_streams() -> None:
    """Standard streams as a new interpreter opens them, which asks the variables how."""
    named, _, how = os.environ.get("PYTHONIOENCODING", "").partition(":")
    for number, (name, errors) in enumerate(
        [("stdin", sys.stdin.errors), ("stdout", sys.stdout.errors), ("stderr", "backslashreplace")]
    ):
        encoding = named or getattr(sys, name).encoding
        errors = errors if name == "stderr" else how or errors
        if number:
            raw = io.FileIO(number, "wb", closefd=False)
            lines = name == "stderr" or raw.isatty()
            stream = io.TextIOWrapper(
                io.BufferedWriter(raw), encoding, errors, line_buffering=lines, write_through=False
            )
        else:
            reader = io.BufferedReader(io.FileIO(number, "rb", closefd=False))
            stream = io.TextIOWrapper(reader, encoding, errors)
        stream.mode = "w" if number else "r"
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)


def _status_of(run: Callable[[], object]) -> int:
    """The exit status of what runs, as the interpreter gives it."""
    try:
        run()
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return (end.code or 0) & 0xFF
        print(end.code, file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        traceback.print_exc()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:  # the interpreter shows whatever ends it
        traceback.print_exc()
        return FAILED
    return 0


def _end(status: int) -> NoReturn:
    """End as the interpreter does, but without taking the modules apart."""
    threading._shutdown()  # type: ignore[attr-defined]  # private, and what the interpreter calls
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
    except OSError:
        status = 120
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    os._exit(status)
