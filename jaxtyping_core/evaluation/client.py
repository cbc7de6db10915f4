"""Starts the evaluation child, asks it, remembers the answers, and survives its death.

One child serves the whole process. It is started on first need and ends when this process does, because
its standard input closes then; nothing depends on ``atexit``, which mypy skips.

A busy machine changes no answer. What a call may take is counted in the child's own seconds, a question whose child
died or ran out of memory is put to a new child, and what is lost all the same is not kept for the next run.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from jaxtyping_core.evaluation import accepted
from jaxtyping_core.evaluation.cache import Cache
from jaxtyping_core.evaluation.process import (
    START_LIMIT,
    Child,
    NotReady,
    Ready,
    Stalled,
    Stuck,
    Superseded,
)
from jaxtyping_core.evaluation.progress import Position
from jaxtyping_core.evaluation.protocol import Answer, decode_answer, encode_answer
from jaxtyping_core.evaluation.versions import own_digest, packages_digest
from jaxtyping_core.evaluation.wall import FULL, Wall, required
from jaxtyping_core.evaluation.wall.packages import PACKAGE, compile_once

__all__ = ["START_LIMIT", "Evaluator", "Lost", "Superseded", "evaluator", "wall_of"]
CHILD = Path(__file__).with_name("child")
#: Seconds that one call may take, unless the settings say otherwise.
TIME_LIMIT = 20.0
#: Children for one question: the second shows whether the question was what ended the first.
ATTEMPTS = 2
#: Statements that are left out of a program at most, because each took too long.
MOST_SKIPPED = 3
#: What a request about a program says of a statement at which the walk ends, because to leave out others was not enough.
ENDS = "ends"
#: The part of the time for a program that there is once more, however much of it was used up before a statement was left out.
LEAST_AGAIN = 0.3
#: After so many failures in a row no child is started again.
MAX_FAILURES = 6
#: What a request about a program says of the seconds that it may take, and an answer of whether it was evaluated to its end.
SECONDS, COMPLETE = "seconds", "complete"
#: What a request says where functions without annotations matter only if the program calls them, and an answer if it lacks one.
ANNOTATED_ALONE, LEFT_OUT = "annotated_alone", "left_out"
#: What a request says where only errors are wanted; what parts of the program gave before it was edited, and what they give now.
ERRORS_ALONE, EARLIER, PARTS = "errors_alone", "earlier", "parts"
#: Characters of the requests whose answers are remembered.
MOST_CHARACTERS = 16_000_000


class Lost(Exception):
    """There is no answer, for reasons that are not JAX's; `again`, if another child may have one."""

    def __init__(self, reason: str, again: bool = True) -> None:
        super().__init__(reason)
        self.again = again


class Evaluator:
    """Abstract evaluation under one Python interpreter.

    Args:
        python: the interpreter whose JAX answers.
        time_limit: seconds that one call may take; a longer one is unknown, and the child is replaced.
        cache: where answers are kept from one run to the next; None for nowhere.
        arguments: those of the child.
        packages: those that the child may import, wherever they are installed.

    Attributes:
        is_superseded: tells whether the answer that is waited for is wanted no more. A child with the argument `STOPS` is told to stop then.
        modules: what the next child may have imported already, because programs that it is asked about do.
    """

    def __init__(
        self,
        python: str,
        time_limit: float = TIME_LIMIT,
        cache: Cache | None = None,
        arguments: tuple[str, ...] = (),
        packages: tuple[str, ...] = (),
    ) -> None:
        self.is_superseded: Callable[[], bool] | None = None
        self.modules: tuple[str, ...] = ()
        self.python = python
        self.time_limit = time_limit
        self._cache = cache
        self._arguments, self._packages = arguments, packages
        self._child: Child | None = None
        self._ready: Ready | None = None  # what the running child has said
        #: What stood around the last child that was ready.
        self.standing: Wall | None = None
        #: The project whose programs the running child has read.
        self._project: str | None = None
        self._failures = 0
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
        project: str | None = None,
    ) -> Answer:
        """The answer to a request of `protocol`; unknown where the child fails or is too slow.

        A child that has read a program might answer whatever the program wants. It therefore answers for one project alone,
        and its answers are kept for that project alone.

        Args:
            request: the request.
            time_limit: that of this request, if it is not that of a call.
            project: the folder of the program that the request is about; None if it is about none.

        Raises:
            Superseded: nobody wants the answer any more.
        """
        line = json.dumps(request, sort_keys=True)
        of_program = {"project": project} if project else {}
        key = json.dumps({**request, **of_program}, sort_keys=True)
        unlimited = json.dumps({**_without_limit(request), **of_program}, sort_keys=True)
        with self._lock:
            answer = self._memory.get(key) or self._memory.get(unlimited)
            if answer is None:
                limit = time_limit or self.time_limit
                answer = self._kept(unlimited) or (self._kept(key) if key != unlimited else None)
                if answer is None:
                    answer, is_whole = self._asked_with_parts(request, line, limit, project)
                    if is_whole:
                        lacks_some = answer.program is not None and answer.program.get(LEFT_OUT) is not False
                        whole = json.dumps(
                            {**_without_limit(request, ANNOTATED_ALONE), **of_program}, sort_keys=True
                        )
                        key = unlimited if lacks_some else whole
                    if self._cache and not answer.fault:
                        self._cache.put(key, json.dumps(encode_answer(answer)))
                self._remember(key, answer)
            return answer

    def _asked_with_parts(
        self, request: Mapping[str, Any], line: str, limit: float, project: str | None
    ) -> tuple[Answer, bool]:
        """The child's answer: it is told what parts of the program gave before it was edited, and tells what they give now."""
        if not (self._cache and project and request["program"].get(ERRORS_ALONE)):
            return self._asked(line, limit, project)
        key = json.dumps({"parts": _without_texts(request), "project": project}, sort_keys=True)
        earlier = self._cache.get(key)
        if earlier is not None:
            with_parts = {**request["program"], EARLIER: json.loads(earlier)}
            line = json.dumps({**request, "program": with_parts}, sort_keys=True)
        answer, is_whole = self._asked(line, limit, project)
        if answer.program is not None:
            program = dict(answer.program)
            parts = program.pop(PARTS, None)
            answer = answer._replace(program=program)
            if parts is not None and not answer.fault:
                self._cache.put(key, json.dumps(parts))
        return answer, is_whole

    def kept(self, request: Mapping[str, Any], project: str) -> Answer | None:
        """The whole answer to a request about a program, if it was asked before."""
        key = json.dumps({**_without_limit(request), "project": project}, sort_keys=True)
        with self._lock:
            return self._memory.get(key) or self._kept(key)

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
        return None if text is None else accepted.answer(decode_answer(json.loads(text)))

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

    def wall(self) -> Wall:
        """What stands around the child, which is started if there is none."""
        with self._lock:
            try:
                return self._await_ready(self._running_child()).wall
            except (Lost, OSError, EOFError, ValueError, LookupError, TypeError, AttributeError) as error:
                ready = self._ready
                self.close()
                return ready.wall if ready else Wall(why=f"the evaluation process does not start: {error}")

    def close(self) -> None:
        """End the child, if there is one."""
        child, self._child = self._child, None
        if child is not None:
            child.close()

    def _asked(self, line: str, time_limit: float, project: str | None) -> tuple[Answer, bool]:
        """The child's answer, and whether it is the same for all limits; a fault where each child that was asked failed.

        A fault that a child lives to tell of is no reason to give up.
        """
        if self._project not in (None, project):
            self.close()
        problem = "the evaluation process does not run"
        attempts, stalled = ATTEMPTS, list[Position]()
        while attempts and not self.gave_up:
            attempts -= 1
            try:
                answer = self._exchange(line, time_limit, project)
            except Stalled as at:
                problem = "one statement of the program took too long to evaluate"
                self.close()
                message = json.loads(line)
                if project is None or ENDS in message["program"]:
                    break
                if at.position in stalled or len(stalled) == MOST_SKIPPED:
                    message["program"][ENDS] = at.position
                else:
                    stalled.append(at.position)
                    message["skipped"] = stalled
                seconds = message["program"].get(SECONDS, time_limit)
                message["program"][SECONDS] = max(seconds - at.seconds, LEAST_AGAIN * seconds)
                time_limit -= seconds - message["program"][SECONDS]
                line, attempts = json.dumps(message, sort_keys=True), attempts + 1
            except Lost as lost:
                problem = str(lost)
                self._failures += 1
                self.close()
                if not lost.again:
                    break
            else:
                self._failures = 0
                return answer, not stalled and _is_whole(answer)
        return Answer(unknown=problem, fault=True, again=True), False

    def _exchange(self, line: str, time_limit: float, project: str | None) -> Answer:
        """The answer of the running child.

        Raises:
            Lost: it gives none.
        """
        try:
            child = self._running_child()
            # First: a long request does not fit into the pipe of a child that does not read.
            ready = self._await_ready(child)
            if self.is_superseded is not None and self.is_superseded():
                raise Superseded
            if project is not None:
                compile_once(self.python, [name for name in ready.uncompiled if name in line])
                self._project = project
            told = decode_answer(child.ask(line, time_limit, self.is_superseded))
            answer = accepted.answer(told)
        except Stuck:
            self.close()
            raise
        except TimeoutError:
            raise Lost(f"the evaluation took more than {time_limit:g} s", again=False) from None
        except (OSError, EOFError) as error:
            raise Lost(f"the evaluation process ended: {error}") from error
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise Lost(f"the evaluation process sent an invalid answer: {error}") from error
        if answer.again:
            raise Lost(str(answer.unknown))
        return answer

    def _running_child(self) -> Child:
        if self._child is None:
            self._ready = None
            self._project = None
            self._child = Child(self.python, CHILD, self._options(), self.modules)
        return self._child

    def _options(self) -> list[str]:
        return [*self._arguments, *(f"{PACKAGE}{name}" for name in self._packages)]

    def _await_ready(self, child: Child) -> Ready:
        """What the child says before it is asked, once it is ready.

        Raises:
            Lost: it cannot, or a wall is required and there is none.
        """
        if self._ready is None:
            try:
                ready = child.await_ready()
            except TimeoutError:
                self._failures += MAX_FAILURES
                raise Lost(
                    f"the evaluation process did not start in {START_LIMIT:g} s", again=False
                ) from None
            except NotReady as problem:
                raise Lost(str(decode_answer(problem.args[0]).unknown)) from None
            self._ready, self.standing = ready, ready.wall
        if required.is_required() and self._ready.wall.level != FULL:
            self._failures += MAX_FAILURES
            raise Lost(required.refusal(self._ready.wall), again=False)
        return self._ready


def _without_limit(request: Mapping[str, Any], *others: str) -> dict[str, Any]:
    """A request about a program without the seconds that it may take, and `others`: what is said of a call in it has no mark of being whole."""
    program = request.get("program")
    if not isinstance(program, Mapping) or "function" in request:
        return dict(request)
    return {
        **request,
        "program": {name: value for name, value in program.items() if name not in (SECONDS, *others)},
    }


def _without_texts(request: Mapping[str, Any]) -> dict[str, Any]:
    """A request about a program without the texts of its modules: it is the same before an edit of them and after it."""
    program = request["program"]
    modules = {name: {**module, "text": None} for name, module in program["modules"].items()}
    return {**request, "program": {**program, "modules": modules}}


def _is_whole(answer: Answer) -> bool:
    """Whether an answer is the same for all limits: nothing of a program was left out for want of time."""
    return answer.program is None or answer.program.get(COMPLETE) is True


def wall_of(python: str) -> Wall:
    """What the operating system keeps a child of an interpreter from doing."""
    child = Evaluator(python)
    try:
        return child.wall()
    finally:
        child.close()


_evaluators: dict[tuple[object, ...], Evaluator] = {}


def evaluator(
    python: str,
    time_limit: float = TIME_LIMIT,
    cache_file: Path | None = None,
    jax_version: str = "",
    arguments: tuple[str, ...] = (),
    packages: Iterable[str] = (),
    lane: int = 0,
) -> Evaluator:
    """The process-wide `Evaluator` of an interpreter: a daemon that builds the plugin again keeps its child.

    Answers are kept in `cache_file`, which all projects of the user share: for the JAX of that version, the packages of the
    interpreter, and the child and the array layer as they are. What is evaluated side by side has an evaluator for each `lane`.
    """
    key = (python, time_limit, cache_file, jax_version, arguments, tuple(packages), lane)
    if key not in _evaluators:
        versions = f"{jax_version} {packages_digest(python)} {own_digest()}"
        cache = Cache(cache_file, versions) if cache_file else None
        _evaluators[key] = Evaluator(python, time_limit, cache, arguments, tuple(packages))
    _evaluators[key].renew()
    return _evaluators[key]
