"""Starts the evaluation child, asks it, remembers the answers, and survives its death.

One child serves the whole process. It is started on first need and ends when this process does, because
its standard input closes then; nothing depends on ``atexit``, which mypy skips.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import selectors
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jaxtyping_core.evaluation.cache import Cache
from jaxtyping_core.evaluation.protocol import Answer, decode_answer

CHILD = Path(__file__).with_name("child.py")
#: Seconds that one call may take, unless the settings say otherwise.
TIME_LIMIT = 20.0
#: Seconds for the first answer of a child: it has to import JAX, from a cold disk perhaps.
START_LIMIT = 120.0
#: A child that dies this many times in a row is not started again.
MAX_FAILURES = 3


class Evaluator:
    """Abstract evaluation under one Python interpreter.

    Args:
        python: the interpreter whose JAX answers.
        time_limit: seconds that one call may take; a longer one is unknown, and the child is replaced.
        cache: where answers are kept from one run to the next; None for nowhere.
    """

    def __init__(self, python: str, time_limit: float = TIME_LIMIT, cache: Cache | None = None) -> None:
        self.python = python
        self.time_limit = time_limit
        self._cache = cache
        self._child: subprocess.Popen[bytes] | None = None
        self._answered = False  # whether the running child has answered yet
        self._failures = 0
        self._buffer = b""
        self._memory: dict[str, Answer] = {}
        self._lock = threading.Lock()

    @property
    def gave_up(self) -> bool:
        """Whether evaluation has been abandoned for this process."""
        return self._failures >= MAX_FAILURES

    def ask(self, request: Mapping[str, Any]) -> Answer:
        """The answer to a request of `protocol.request`; unknown where the child fails or is too slow."""
        key = json.dumps(request, sort_keys=True)
        with self._lock:
            answer = self._memory.get(key)
            if answer is None:
                answer = self._remembered(key)
            if answer is None:
                answer, final = self._exchange(key)
                if final:
                    self._memory[key] = answer
            return answer

    def _remembered(self, key: str) -> Answer | None:
        """The answer that an earlier run got."""
        text = self._cache.get(key) if self._cache else None
        if text is None:
            return None
        self._memory[key] = decode_answer(json.loads(text))
        return self._memory[key]

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

    def _exchange(self, line: str) -> tuple[Answer, bool]:
        """The child's answer, and whether asking again would give the same."""
        if self.gave_up:
            return Answer(unknown="the evaluation child does not run", fault=True), False
        try:
            child = self._running_child()
            assert child.stdin is not None
            child.stdin.write(line.encode() + b"\n")
            child.stdin.flush()
            reply = self._read_line(child, self.time_limit if self._answered else START_LIMIT)
            message = json.loads(reply)
            answer = decode_answer(message)
        except TimeoutError:  # stays too slow: remember it
            return self._failed(f"the call took more than {self.time_limit:g} s to evaluate"), True
        except (OSError, EOFError) as error:  # the child may have been killed: ask again another time
            return self._failed(f"the evaluation child ended: {error}"), False
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            return self._failed(f"the evaluation child answered nonsense: {error}"), False
        self._answered = True
        self._failures = 0
        if self._cache and not answer.fault:
            self._cache.put(line, json.dumps(message))
        return answer, True

    def _failed(self, reason: str) -> Answer:
        self._failures += 1
        self.close()
        return Answer(unknown=reason, fault=True)

    def _running_child(self) -> subprocess.Popen[bytes]:
        if self._child is None:
            self._answered = False
            self._child = subprocess.Popen(
                # Not -I, which would hide the packages that the user installed with `pip install --user`.
                [self.python, "-E", "-P", str(CHILD)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={**os.environ, "JAX_PLATFORMS": "cpu"},
            )
        return self._child

    def _read_line(self, child: subprocess.Popen[bytes], limit: float) -> bytes:
        """One line of the child's output.

        Raises:
            EOFError: the output ends, and with it the child.
            TimeoutError: there is none after `limit` seconds.
        """
        assert child.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(child.stdout, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                if not selector.select(limit):
                    raise TimeoutError
                chunk = os.read(child.stdout.fileno(), 1 << 16)
                if not chunk:
                    raise EOFError("no answer")
                self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line


_evaluators: dict[tuple[str, float, Path | None, str], Evaluator] = {}


def evaluator(
    python: str, time_limit: float = TIME_LIMIT, cache_file: Path | None = None, jax_version: str = ""
) -> Evaluator:
    """The process-wide `Evaluator` of an interpreter: a daemon that builds the plugin again keeps its child.

    Answers are kept in `cache_file`, for the JAX of that version and the child as it is.
    """
    key = (python, time_limit, cache_file, jax_version)
    if key not in _evaluators:
        child = hashlib.sha256(CHILD.read_bytes()).hexdigest()
        cache = Cache(cache_file, f"{jax_version} {child}") if cache_file else None
        _evaluators[key] = Evaluator(python, time_limit, cache)
    return _evaluators[key]
