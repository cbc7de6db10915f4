"""The evaluation child as a process: how it is started, asked, told to stop, and ended.

What it writes is hostile input once it has read a program; `accepted` looks at the contents, this module bounds the length.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import selectors
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jaxtyping_core.evaluation import nursery, progress
from jaxtyping_core.evaluation.progress import Position, Progress
from jaxtyping_core.evaluation.protocol import NONCE
from jaxtyping_core.evaluation.wall import LEVELS, NONE, Wall, lifeline

#: Seconds until a child is ready: it has to import JAX, from a cold disk perhaps.
START_LIMIT = 60.0
#: How often the limit may pass before a child is given up that waits, or whose machine has no time for it.
PATIENCE = 6
#: Seconds of sleep, with no processor time in between, after which a child is given up: nothing that it may do waits.
MOST_SLEEP = 10.0
#: Processor seconds that one statement of a program may take: a part of what the program may, and between these.
PARTS, LEAST_AT_ONE, MOST_AT_ONE = 4, 2.0, 10.0
#: Seconds that a child may take to stop once it is told to. One that holds the interpreter lock in C code never does.
STOP_LIMIT = 2.0
#: Seconds from one look at the child to the next.
STEP = 0.25
#: The same where the answer may be superseded.
SOON = 0.02
#: Bytes of one answer: the largest packages need a twentieth.
MOST_BYTES = 256 << 20


class Superseded(Exception):
    """Nobody wants the answer any more."""


class Stuck(Superseded):
    """The same, and the child does not stop: it must be ended."""


class Ready(NamedTuple):
    """What a child says of itself before it has read anything from a program.

    `wall` is what stands around it, `uncompiled` are packages that have to be compiled at each import.
    """

    wall: Wall
    uncompiled: tuple[str, ...] = ()


class Stalled(Exception):
    """The child has been at one statement for too long; `seconds` is what it has used up for the program."""

    def __init__(self, position: Position, seconds: float) -> None:
        super().__init__("the child has been at one statement for too long")
        self.position, self.seconds = position, seconds


class NotReady(Exception):
    """The child says why it cannot answer, in place of being ready; the message is its answer."""


class Child:
    """A running child.

    Args:
        python: its interpreter.
        script: the folder or the file that it runs.
        arguments: its arguments.
        modules: what it may have imported already.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(
        self, python: str, script: Path, arguments: Sequence[str] = (), modules: Sequence[str] = ()
    ) -> None:
        ends: list[tuple[str, int]] = []
        self._lifeline: int | None = None
        own_end: int | None = None
        if sys.platform == "linux":
            own_end, self._lifeline = os.pipe()
            ends.append((lifeline.OPTION, own_end))
        self.progress = _progress()
        if self.progress is not None:
            ends.append((progress.OPTION, self.progress.end))
        try:
            self._process = nursery.start(python, script, arguments, ends, modules)
        except OSError:
            self._cut()
            raise
        finally:
            if own_end is not None:
                os.close(own_end)
        self._buffer = b""

    @property
    def pid(self) -> int:
        """The number of the process: that of its nursery until it is ready."""
        return self._process.pid

    def await_ready(self) -> Ready:
        """What the child says once it can be asked.

        Raises:
            TimeoutError: it says nothing.
            EOFError: it has ended.
            NotReady: it has no JAX, say.
            ValueError, LookupError, TypeError, AttributeError: it says something else.
        """
        message = json.loads(self.read_line(START_LIMIT))
        if "ready" not in message:
            raise NotReady(message)
        level = message.get("wall", NONE)
        if level not in LEVELS:
            raise ValueError(f"there is no wall called {level}")
        if isinstance(self._process, nursery.Forked):
            self._process.is_known_as(int(message["pid"]))
        packages = tuple(name for name in message.get("uncompiled", ()) if str(name).isidentifier())
        return Ready(Wall(level, str(message.get("why", ""))), packages)

    def ask(self, line: str, limit: float, is_superseded: Callable[[], bool] | None = None) -> Any:
        """The message that answers the request in a line.

        Raises:
            OSError, EOFError: the child has ended.
            TimeoutError: it has used up `limit`.
            Superseded: nobody wants the answer any more.
            ValueError: it is no JSON, or answers another request.
        """
        nonce = secrets.token_hex(8)
        self._write(json.dumps({**json.loads(line), NONCE: nonce}).encode() + b"\n")
        message = json.loads(self.read_line(limit, is_superseded))
        if not isinstance(message, dict) or message.pop(NONCE, None) != nonce:
            raise ValueError("it answers what it was not asked")
        return message

    def close(self) -> None:
        """End the child."""
        self._cut()
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _cut(self) -> None:
        if self._lifeline is not None:
            os.close(self._lifeline)
            self._lifeline = None
        if self.progress is not None:
            self.progress.close()
            self.progress = None

    def _write(self, text: bytes) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(text)
        self._process.stdin.flush()

    def read_line(self, limit: float, is_superseded: Callable[[], bool] | None = None) -> bytes:
        """One line of the child's output; the child is told to stop if that is superseded.

        Raises:
            EOFError: the output ends, and with it the child, or it does not end.
            TimeoutError: the child has used up `limit`, or does nothing.
            Stalled: it has been at one statement of a program for too long.
            Superseded: nobody wants it any more; what the child has said is dropped.
        """
        assert self._process.stdout is not None
        patience = Patience(self.pid, limit, self.progress)
        step = STEP if is_superseded is None else SOON
        told = 0.0  # for how long the child has known that it is to stop
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                if selector.select(step):
                    chunk = os.read(self._process.stdout.fileno(), 1 << 16)
                    if not chunk or len(self._buffer) > MOST_BYTES:
                        raise EOFError("no answer" if not chunk else "the answer does not end")
                    self._buffer += chunk
                    continue
                if is_superseded is not None and (told or is_superseded()):
                    self._write(b"\n")  # once more, perhaps: it may have read the first one with the request
                    told += step
                    if told > STOP_LIMIT:
                        raise Stuck
                patience.wait(step)
        line, _, self._buffer = self._buffer.partition(b"\n")
        if told:
            raise Superseded
        return line


class Patience:
    """How long a child is waited for: until it has used up its processor time, does nothing at all, or gets no further."""

    def __init__(self, pid: int, limit: float, progress: Progress | None = None) -> None:
        self._pid, self._limit, self._progress = pid, limit, progress
        self._start = self._last = processor_seconds(pid)
        self._waited = self._asleep = 0.0
        #: How many statements had been begun, and the child's processor time then.
        self._count, self._since = progress.count if progress else 0, self._start or 0.0
        self._most = min(MOST_AT_ONE, max(LEAST_AT_ONE, limit / PARTS))

    def wait(self, step: float) -> None:
        """Count a step of waiting.

        Raises:
            TimeoutError: it was the last one.
            Stalled: the child is not done with a statement.
        """
        # And not what a clock says, which goes on while the whole machine stands still.
        self._waited += step
        now = processor_seconds(self._pid)
        if self._start is None or now is None:
            if self._waited >= self._limit:
                raise TimeoutError
            return
        idle = now == self._last and is_asleep(self._pid)
        self._asleep = self._asleep + step if idle else 0.0
        self._last = now
        if (
            now - self._start >= self._limit
            or self._waited >= PATIENCE * self._limit
            or self._asleep >= MOST_SLEEP
        ):
            raise TimeoutError
        self._look_at_progress(now)

    def _look_at_progress(self, now: float) -> None:
        if self._progress is None:
            return
        count = self._progress.count
        if count != self._count:
            self._count, self._since = count, now
        elif count and now - self._since >= self._most:
            raise Stalled(self._progress.position, now - (self._start or 0.0))


def _progress() -> Progress | None:
    try:
        return Progress()
    except (OSError, ValueError):
        return None


def processor_seconds(pid: int) -> float | None:
    """The processor time that a process has had, on systems that tell."""
    try:
        fields = _status(Path(f"/proc/{pid}/stat"))
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


def is_asleep(pid: int) -> bool:
    """Whether all threads of a process wait for something that is neither the disk nor a processor."""
    try:
        return all(_status(task / "stat")[0] == "S" for task in Path(f"/proc/{pid}/task").iterdir())
    except (OSError, IndexError):
        return False


def _status(file: Path) -> list[str]:
    """The fields of a file of ``/proc`` from the state on; the name before them may have any characters."""
    return file.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
