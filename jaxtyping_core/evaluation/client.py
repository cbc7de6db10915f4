"""Starts the evaluation child, asks it, remembers the answers, and survives its death.

One child serves the whole process. It is started on first need and ends when this process does, because
its standard input closes then; nothing depends on ``atexit``, which mypy skips.

A busy machine changes no answer. What a call may take is counted in the child's own seconds, a question whose child
died or ran out of memory is put to a new child, and what is lost all the same is not kept for the next run.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import selectors
import subprocess
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from jaxtyping_core.evaluation.cache import Cache
from jaxtyping_core.evaluation.protocol import Answer, decode_answer, encode_answer
from jaxtyping_core.evaluation.versions import packages_digest

CHILD = Path(__file__).with_name("child")
#: The folders of the package that the child imports from: the array layer, promotion, and what annotations declare.
SHARED = (".", "numpy", "systems", "declarations", "_annotations")
#: Seconds that one call may take, unless the settings say otherwise.
TIME_LIMIT = 20.0
#: Seconds until a child is ready: it has to import JAX, from a cold disk perhaps.
START_LIMIT = 60.0
#: How often the limit may pass before a child is given up that waits, or whose machine has no time for it.
PATIENCE = 6
#: Seconds from one look at the child to the next.
STEP = 0.25
#: The same where the answer may be superseded.
SOON = 0.02
#: Children for one question: the second shows whether the question was what ended the first.
ATTEMPTS = 2
#: After so many failures in a row no child is started again.
MAX_FAILURES = 6
#: Characters of the requests whose answers are remembered.
MOST_CHARACTERS = 16_000_000


class Lost(Exception):
    """There is no answer, for reasons that are not JAX's; `again`, if another child may have one."""

    def __init__(self, reason: str, again: bool = True) -> None:
        super().__init__(reason)
        self.again = again


class Superseded(Exception):
    """Nobody wants the answer any more."""


class Evaluator:
    """Abstract evaluation under one Python interpreter.

    Args:
        python: the interpreter whose JAX answers.
        time_limit: seconds that one call may take; a longer one is unknown, and the child is replaced.
        cache: where answers are kept from one run to the next; None for nowhere.
        arguments: those of the child.

    Attributes:
        is_superseded: tells whether the answer that is waited for is wanted no more. A child with the argument `STOPS` is told to stop then.
    """

    def __init__(
        self,
        python: str,
        time_limit: float = TIME_LIMIT,
        cache: Cache | None = None,
        arguments: tuple[str, ...] = (),
    ) -> None:
        self.is_superseded: Callable[[], bool] | None = None
        self.python = python
        self.time_limit = time_limit
        self._cache = cache
        self._arguments = arguments
        self._sent: set[str] = set()  # the programs that the running child has
        self._child: subprocess.Popen[bytes] | None = None
        self._ready = False  # whether the running child has said that it is
        self._failures = 0
        self._buffer = b""
        self._memory: dict[str, Answer] = {}
        self._characters = 0  # of the requests in it
        self._lock = threading.Lock()

    @property
    def gave_up(self) -> bool:
        """Whether evaluation has been abandoned for this process."""
        return self._failures >= MAX_FAILURES

    def ask(
        self,
        request: Mapping[str, Any],
        time_limit: float | None = None,
        sources: Mapping[str, Any] | None = None,
    ) -> Answer:
        """The answer to a request of `protocol`; unknown where the child fails or is too slow.

        `time_limit` is that of this request, if it is not that of a call, and `sources` the program that it is about: its digest,
        that of what is `reached` of it, on which the answer depends, and the request that lets a child have it.

        Raises:
            Superseded: nobody wants the answer any more.
        """
        line = json.dumps(request, sort_keys=True)
        key = json.dumps({**request, "of": sources["reached"]}, sort_keys=True) if sources else line
        with self._lock:
            answer = self._memory.get(key)
            if answer is None:
                answer = self._kept(key) or self._asked(line, key, time_limit or self.time_limit, sources)
                self._remember(key, answer)
            return answer

    def _remember(self, key: str, answer: Answer) -> None:
        """Keep an answer, and forget the oldest ones if there is too much: a request may hold a whole program."""
        self._memory[key] = answer
        self._characters += len(key)
        while self._characters > MOST_CHARACTERS and len(self._memory) > 1:
            oldest = next(iter(self._memory))
            del self._memory[oldest]
            self._characters -= len(oldest)

    def _kept(self, key: str) -> Answer | None:
        """The answer that an earlier run got."""
        text = self._cache.get(key) if self._cache else None
        return None if text is None else decode_answer(json.loads(text))

    def renew(self) -> None:
        """Try again, from now on, what was lost: for the next run in the same process."""
        with self._lock:
            self._failures = 0
            self._memory = {key: answer for key, answer in self._memory.items() if not answer.fault}
            self._characters = sum(map(len, self._memory))

    def start(self) -> None:
        """Start a child, so that the next question does not wait for it to import JAX."""
        with self._lock, contextlib.suppress(OSError):
            self._running_child()

    def close(self) -> None:
        """End the child, if there is one."""
        child, self._child, self._buffer = self._child, None, b""
        if child is not None:
            child.kill()
            child.wait()
            for pipe in (child.stdin, child.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()

    def _asked(self, line: str, key: str, time_limit: float, sources: Mapping[str, Any] | None) -> Answer:
        """The child's answer, which is kept for later runs if it is JAX's; a fault where each child that was asked failed.

        A fault that a child lives to tell of is no reason to give up.
        """
        problem = "the evaluation child does not run"
        for _ in range(ATTEMPTS):
            if self.gave_up:
                break
            try:
                if sources is not None:
                    self._send(sources)
                answer = self._exchange(line, time_limit)
            except Lost as lost:
                problem = str(lost)
                self._failures += 1
                self.close()
                if not lost.again:
                    break
            else:
                self._failures = 0
                if self._cache and not answer.fault:
                    self._cache.put(key, json.dumps(encode_answer(answer)))
                return answer
        return Answer(unknown=problem, fault=True)

    def _send(self, sources: Mapping[str, Any]) -> None:
        """Let the running child have a program.

        Raises:
            Lost: it does not take it.
        """
        self._running_child()
        if sources["digest"] not in self._sent:
            self._exchange(json.dumps(sources["request"]), START_LIMIT)
            self._sent.add(sources["digest"])

    def _exchange(self, line: str, time_limit: float) -> Answer:
        """The answer of the running child.

        Raises:
            Lost: it gives none.
        """
        try:
            child = self._running_child()
            if (
                not self._ready
            ):  # first: a long request does not fit into the pipe of a child that does not read
                self._await_start(child)
            if self.is_superseded is not None and self.is_superseded():
                raise Superseded
            assert child.stdin is not None
            child.stdin.write(line.encode() + b"\n")
            child.stdin.flush()
            answer = decode_answer(json.loads(self._read_line(child, time_limit, self.is_superseded)))
        except TimeoutError:
            raise Lost(f"evaluation took more than {time_limit:g} s", again=False) from None
        except (OSError, EOFError) as error:
            raise Lost(f"the evaluation child ended: {error}") from error
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise Lost(f"the evaluation child answered nonsense: {error}") from error
        if answer.again:
            raise Lost(str(answer.unknown))
        return answer

    def _running_child(self) -> subprocess.Popen[bytes]:
        if self._child is None:
            self._ready = False
            self._sent.clear()
            self._child = subprocess.Popen(
                # Not -I, which would hide the packages that the user installed with `pip install --user`.
                [self.python, "-E", "-P", str(CHILD), *self._arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "JAX_PLATFORMS": "cpu"},
            )
        return self._child

    def _await_start(self, child: subprocess.Popen[bytes]) -> None:
        try:
            message = json.loads(self._read_line(child, START_LIMIT))
        except TimeoutError:
            self._failures += MAX_FAILURES
            raise Lost(f"the evaluation child did not start in {START_LIMIT:g} s", again=False) from None
        if "ready" not in message:
            raise Lost(str(decode_answer(message).unknown))
        self._ready = True

    def _read_line(
        self, child: subprocess.Popen[bytes], limit: float, is_superseded: Callable[[], bool] | None = None
    ) -> bytes:
        """One line of the child's output, which is told to stop if that is superseded.

        Raises:
            EOFError: the output ends, and with it the child.
            TimeoutError: the child has used up `limit`.
            Superseded: nobody wants it any more; what the child has said is dropped.
        """
        assert child.stdout is not None
        start, waited, told = processor_seconds(child.pid), 0.0, False
        step = STEP if is_superseded is None else SOON
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdout, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                if selector.select(step):
                    chunk = os.read(child.stdout.fileno(), 1 << 16)
                    if not chunk:
                        raise EOFError("no answer")
                    self._buffer += chunk
                    continue
                if is_superseded is not None and is_superseded():
                    told = _stop(
                        child
                    )  # once more, perhaps: it may have read the first time's line with the request
                waited += (
                    step  # and not what a clock says, which goes on while the whole machine stands still
                )
                now = processor_seconds(child.pid)
                used, patience = (waited, 1) if start is None or now is None else (now - start, PATIENCE)
                if used >= limit or waited >= patience * limit:
                    raise TimeoutError
        line, _, self._buffer = self._buffer.partition(b"\n")
        if told:
            raise Superseded
        return line


def _stop(child: subprocess.Popen[bytes]) -> bool:
    """Tell a child to stop what it does: more input waits for it."""
    assert child.stdin is not None
    child.stdin.write(b"\n")
    child.stdin.flush()
    return True


def processor_seconds(pid: int) -> float | None:
    """The processor time that a process has had, on systems that tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None


def sources_digest() -> str:
    """A digest of what the answers depend on: this folder, and what the child takes from others."""
    package = CHILD.parents[1]
    shared = [path for folder in SHARED for path in (package / folder).glob("*.py")]
    digest = hashlib.sha256()
    for path in sorted([*CHILD.parent.rglob("*.py"), *shared]):
        digest.update(path.read_bytes())
    return digest.hexdigest()


_digest = functools.cache(sources_digest)
_evaluators: dict[tuple[object, ...], Evaluator] = {}


def evaluator(
    python: str,
    time_limit: float = TIME_LIMIT,
    cache_file: Path | None = None,
    jax_version: str = "",
    arguments: tuple[str, ...] = (),
) -> Evaluator:
    """The process-wide `Evaluator` of an interpreter: a daemon that builds the plugin again keeps its child.

    Answers are kept in `cache_file`, which all projects of the user share: for the JAX of that version, the packages of the
    interpreter, and the child and the array layer as they are.
    """
    key = (python, time_limit, cache_file, jax_version, arguments)
    if key not in _evaluators:
        versions = f"{jax_version} {packages_digest(python)} {_digest()}"
        cache = Cache(cache_file, versions) if cache_file else None
        _evaluators[key] = Evaluator(python, time_limit, cache, arguments)
    _evaluators[key].renew()
    return _evaluators[key]
