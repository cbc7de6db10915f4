"""The loop of questions and answers, and the limits that the process sets itself."""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.metadata
import json
import os
import select
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ...engine.libraries import entry_points
from ...sampling.errors import ANNOUNCED, Inconclusive
from ...sampling.names import Layer
from ...sampling.queries import evaluate
from .. import progress
from ..parent import end_with_parent
from ..protocol import NONCE, STOPS, Answer, encode_answer, requested_call
from ..wall import audit, environ, lifeline, packages, raise_wall
from . import nursery

#: Bytes of memory that evaluation may take; JAX itself takes a twentieth of that.
MOST_MEMORY = 3 << 30
#: JAX's method that says where a tracer comes from, and its function that looks through the frames of a refused call.
ORIGIN, FRAMES = "_origin_msg", "_is_under_reraiser"


#: JAX's options as they are before any program.
_options: dict[str, Any] = {}


def configure(x64: bool, promotion: str, system: str) -> None:
    """Set the options that a question is asked under; all others are as they were before any program."""
    import jax

    if not _options:
        _options.update(jax.config.values)
    put_back_options()
    jax.config.update("jax_enable_x64", x64)
    jax.config.update("jax_numpy_dtype_promotion", promotion)
    Layer.system = system
    _shorten_errors()


def put_back_options() -> None:
    """Set JAX's options as they were before a program changed them."""
    import jax

    now = jax.config.values  # which is made anew each time
    for name, value in _options.items():
        if now[name] != value:
            jax.config.update(name, value)


def _shorten_errors() -> None:
    """Leave out of JAX's errors where a tracer comes from: JAX looks through all that was ever traced for that.

    Calls that are tried fail by the thousand, and each took seconds in a long trace; to leave tracebacks as they are, JAX
    reads the whole stack, too. Without the private names errors are only slower.
    """
    with contextlib.suppress(ImportError, AttributeError):
        from jax._src import traceback_util
        from jax._src.interpreters import partial_eval

        setattr(partial_eval.DynamicJaxprTracer, ORIGIN, lambda _: "")
        if hasattr(traceback_util, FRAMES):
            setattr(traceback_util, FRAMES, lambda _: True)


def limit_memory() -> None:
    """Refuse memory beyond what any evaluation needs, where the system can do that."""
    with contextlib.suppress(ImportError, OSError, ValueError, AttributeError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


#: What JAX imports if it is installed, for a cache on disk that no evaluation uses: its audit hook would run for every `id`.
UNUSED = "filelock"


def start() -> None:
    """Import JAX, which is most of what a short run costs: without looking for garbage on the way, or for plugins of devices."""
    gc.disable()
    sys.modules[UNUSED] = None  # type: ignore[assignment]  # Python's way to say that there is no such module
    of_all_packages = importlib.metadata.distributions
    # JAX looks for plugins of devices in the metadata of all packages; we run on the CPU.
    importlib.metadata.distributions = lambda **_: iter(())
    try:
        importlib.import_module("jax.numpy")
    finally:
        importlib.metadata.distributions = of_all_packages
        del sys.modules[UNUSED]
    importlib.import_module("jax").config.update("jax_traceback_filtering", "off")  # nobody reads them
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    gc.enable()


def ready() -> dict[str, Any]:
    """Raise the wall, and say what stands: from now on the process reads what is not to be trusted."""
    entry_points.find(sys.path)
    installed = list(packages.specs([*packages.named_in(sys.argv), *entry_points.modules()]))
    uncompiled = packages.uncompiled(installed)
    progress.at_no_statement()  # while memory can be shared
    wall = raise_wall([str(Path(__file__).resolve().parents[2]), *packages.folders(installed)])
    audit.stand()
    return {
        "ready": True,
        "pid": os.getpid(),
        "wall": wall.level,
        "why": wall.why,
        "uncompiled": uncompiled,
    }


def started() -> str:
    """Import JAX; what keeps it from being imported, if anything does."""
    try:
        start()
    # Importing runs code of packages, which may raise anything. The parent reports it.
    except Exception as error:
        return f"{error}, for {sys.executable}"
    return ""


def imported(modules: Sequence[str]) -> None:
    """Import modules of libraries, as the programs do that name them, and what is known of the libraries."""
    policy = importlib.import_module("...engine.libraries.trust.policy", __package__)
    libraries = policy.TrustPolicy({name.partition(".")[0] for name in modules})
    for name in modules:
        libraries.module(name, lambda _: None)


def main() -> None:
    os.environ.update(environ.SET)  # also for a child that was started otherwise
    warnings.simplefilter("ignore")
    # An update that the dtype of the array cannot hold: JAX cuts it down and says that it will refuse it.
    warnings.filterwarnings("error", ANNOUNCED, FutureWarning)
    its = nursery.named_in(sys.argv)
    if its is None:
        serve(started)
        return
    problem = started()
    if not problem:  # what a fork needs for a program, too
        importlib.import_module("...engine.session", __package__)
        its.imports = imported
    sys.argv[1:] = its.forked()
    serve(lambda: problem)


def serve(begin: Callable[[], str]) -> None:
    """Answer questions; `begin` imports JAX, and says what keeps it from that."""
    parent = os.getppid()  # before JAX is imported: the parent may end meanwhile
    # Answers go to the original standard output; whatever a library prints goes to standard error.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    lifeline.hold_on(sys.argv)
    limit_memory()

    def say(message: dict[str, Any]) -> None:
        answers.write(json.dumps(message) + "\n")
        answers.flush()

    if problem := begin():
        say(encode_answer(Answer(unknown=problem, fault=True)))
        return
    say(ready())
    end_with_parent(parent)  # the first thread: those that start before the wall is raised are outside of it
    lines = (line for line in sys.stdin.buffer if line.strip())  # others only tell to stop
    waiting = next(lines, None)
    while waiting is not None:
        if asked_program(waiting):
            waiting = answer_about_calls(waiting, lines, say)
        else:
            say(answer_to(waiting))
            waiting = next(lines, None)
    os._exit(0)  # nothing is left to do, and taking JAX apart takes time


def _more_waits() -> bool:
    """Whether there is more input."""
    return bool(select.select([sys.stdin], [], [], 0)[0])


def answer_about_program(program: dict[str, Any], skipped: list[list[int]]) -> Answer:
    """What is known of the arrays of a program, of which some statements are left out."""
    from ...engine import session  # a child that answers single calls needs no interpreter

    session.prepare(program)
    try:
        known = session.evaluate(program, _more_waits if STOPS in sys.argv[1:] else None, skipped)
    finally:
        put_back_options()
    # Also what is not complete: the limit is one of processor time, so that another run would get no further.
    return Answer(program=known)


def asked_program(line: bytes) -> tuple[Any, ...] | None:
    """The program that a line asks about a call of, with what it is evaluated under; None if it asks about something else."""
    try:
        message = json.loads(line)
        return (
            tuple(message.get(name) for name in ("program", "x64", "promotion", "skipped"))
            if "program" in message and "function" in message
            else None
        )
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None


def answer_about_calls(
    line: bytes, lines: Iterator[bytes], say: Callable[[dict[str, Any]], None]
) -> bytes | None:
    """Answer about calls of one program's functions, under one trace, until a line asks about something else, which is returned."""
    import jax

    from ...engine.asked_calls import AskedCalls  # a child that answers single calls needs no interpreter

    program = asked_program(line)
    waiting: bytes | None = line
    asked: list[AskedCalls] = []

    def reply(message: dict[str, Any]) -> Answer:
        if not asked:
            asked.append(AskedCalls(message["program"], message.get("skipped", [])))
        return asked[0].answer(message)

    def all_of_them() -> None:
        nonlocal waiting
        while waiting is not None and asked_program(waiting) == program:
            say(answer_to(waiting, reply))
            waiting = next(lines, None)

    jax.eval_shape(all_of_them)
    put_back_options()
    return waiting


def reply_to(message: dict[str, Any]) -> Answer:
    """The answer to a request about a whole program, or about a call."""
    if "program" in message:
        return answer_about_program(message["program"], message.get("skipped", []))
    return evaluate(requested_call(message))


def answer_to(line: bytes, reply: Callable[[dict[str, Any]], Answer] = reply_to) -> dict[str, Any]:
    """The message that answers the request in a line of JSON, whatever happens; `reply` makes it."""
    progress.at_no_statement()
    nonce: dict[str, Any] = {}
    try:
        message = json.loads(line)
        nonce = {NONCE: message[NONCE]} if NONCE in message else {}
        configure(message["x64"], message["promotion"], message.get("system", "jax"))
        answer = reply(message)
    except Inconclusive as undecided:
        answer = Answer(unknown=str(undecided))
    except MemoryError:
        reason = "the call needs too much memory to evaluate"
        answer = Answer(unknown=reason, fault=True, again=True)
    except Exception as error:  # a fault of ours or of the interpreter's is an unknown, never an end
        reason = f"{type(error).__name__}: {error}"
        answer = Answer(unknown=reason, fault=True, again=isinstance(error, OSError))
    return {**encode_answer(answer), **nonce}
