"""The client: what it does when the child is slow, dies, talks nonsense or does not start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from jaxtyping_core.domain.values import Array, Static
from jaxtyping_core.evaluation import client
from jaxtyping_core.evaluation.cache import Cache
from jaxtyping_core.evaluation.client import ATTEMPTS, CHILD, MAX_FAILURES, Evaluator, evaluator
from jaxtyping_core.evaluation.protocol import request

F = Array.of("float32", False, (3,))
#: Runs the child proper after `{patch}` has changed functions of JAX.
PATCHED = """
import os, runpy, sys, time
import jax.numpy as jnp
{patch}
runpy.run_path({child!r}, run_name="__main__")
"""
SLOW = """
def slow(x):
    while True: pass
jnp.sin = slow
"""
WAITING = "jnp.sin = lambda x: time.sleep(600)"
#: The first child that is started dies; it says so before its wall stands, for then it writes to no file.
DYING_ONCE = """
is_first = not os.path.exists({marker!r})
open({marker!r}, "w").close()
def dying(x):
    if is_first:
        {death}
    return x
jnp.sin = dying
"""
DYING = "jnp.sin = lambda x: os._exit(3)"
READY = """print('{"ready": true}', flush=True)"""
#: Answers each line with a message, which shows that it answers that line.
ANSWERING = """
import json, sys
print('{{"ready": true}}', flush=True)
for line in sys.stdin:
    print(json.dumps({{**{message!r}, "nonce": json.loads(line)["nonce"]}}), flush=True)
"""
LOUD = """
def loud(x):
    print("stray")
    sys.stdout.flush()
    os.write(1, b'{"result": "stray"}\\n')
    return x
jnp.sin = loud
"""

Make = Callable[..., Evaluator]


@pytest.fixture
def make(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Make]:
    """Makes evaluators whose child is patched, or is another script altogether."""
    made: list[Evaluator] = []

    def build(patch: str = "", script: str | None = None, **options: Any) -> Evaluator:
        file = tmp_path / "child.py"
        file.write_text(PATCHED.format(child=str(CHILD), patch=patch) if script is None else script)
        monkeypatch.setattr(client, "CHILD", file)
        made.append(Evaluator(sys.executable, **options))
        return made[-1]

    yield build
    for engine in made:
        engine.close()


def ask(engine: Evaluator, name: str, size: int = 3) -> Any:
    value = Array.of("float32", False, (size,))
    return engine.ask(request(f"jax.numpy.{name}", [value], {}, x64=False, promotion="standard"))


def child_of(engine: Evaluator) -> int:
    assert engine._child is not None
    return engine._child.pid


def runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until(condition: Callable[[], bool], seconds: float = 10.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return condition()


def test_stray_output_is_no_answer(make: Make) -> None:
    engine = make(LOUD)
    assert [ask(engine, name).result for name in ("sin", "cos", "sin")] == [F, F, F]


def test_a_killed_child_is_started_again(make: Make) -> None:
    engine = make()
    assert ask(engine, "sin").result == F
    first = child_of(engine)
    os.kill(first, signal.SIGKILL)
    assert ask(engine, "cos").result == F  # the question that met the death is asked again
    assert child_of(engine) != first
    assert not engine.gave_up


@pytest.mark.one_python  # seconds, and no matter of Python or JAX
@pytest.mark.parametrize(
    "death",
    ["os._exit(3)", "os.kill(os.getpid(), 9)", "raise MemoryError", "raise OSError(28, 'No space left')"],
)
def test_a_child_that_fails_once_loses_no_answer(make: Make, tmp_path: Path, death: str) -> None:
    engine = make(DYING_ONCE.format(marker=str(tmp_path / "marker"), death=death))
    assert [ask(engine, name).result for name in ("cos", "sin", "tan")] == [F, F, F]
    assert (tmp_path / "marker").exists()


def test_a_machine_that_stalls_loses_no_answer(make: Make) -> None:
    engine = make(time_limit=0.5)
    assert ask(engine, "sin").result == F
    child = child_of(engine)
    os.kill(child, signal.SIGSTOP)
    threading.Timer(1.5, os.kill, (child, signal.SIGCONT)).start()
    assert ask(engine, "cos").result == F
    assert child_of(engine) == child


@pytest.mark.one_python  # seconds, and no matter of Python or JAX
@pytest.mark.parametrize(
    "patch", [SLOW, "jnp.sin = lambda x: os._exit(3)", "jnp.sin = lambda x: bytearray(1 << 50)"]
)
def test_what_is_lost_is_not_kept(make: Make, tmp_path: Path, patch: str) -> None:
    file = tmp_path / "answers.sqlite3"
    engine = make(patch, cache=Cache(file, "1"), time_limit=1.0)
    lost, known = ask(engine, "sin"), ask(engine, "cos")
    assert (lost.fault, known.result) == (True, F)
    later = Evaluator("no such interpreter", cache=Cache(file, "1"))
    assert ask(later, "sin").fault
    assert ask(later, "cos") == known


@pytest.mark.one_python  # seconds, and no matter of Python or JAX
def test_the_next_run_in_this_process_tries_again(make: Make) -> None:
    engine = make(DYING)
    assert ask(engine, "sin").fault
    engine.close()
    make()
    assert ask(engine, "sin").fault
    engine.renew()
    assert ask(engine, "sin").result == F


def test_a_fault_that_the_child_tells_of_is_no_reason_to_give_up(make: Make, tmp_path: Path) -> None:
    """It is a fault for this question, whichever child is asked, and for this run."""
    fault = {"unknown": "LookupError: 3", "fault": True}
    file = tmp_path / "answers.sqlite3"
    engine = make(script=ANSWERING.format(message=fault), cache=Cache(file, "1"))
    children = set()
    for size in range(MAX_FAILURES + 1):
        assert ask(engine, "sin", size).fault
        children.add(child_of(engine))
    assert len(children) == 1
    assert ask(make(cache=Cache(file, "1")), "sin").result == F


def test_answers_are_remembered(make: Make) -> None:
    engine = make()
    first = ask(engine, "sin")
    engine.close()
    assert ask(engine, "sin") is first
    assert engine._child is None


@pytest.mark.one_python  # seconds, and no matter of Python or JAX
@pytest.mark.parametrize(("patch", "least", "most"), [(SLOW, 1.0, 60.0), (WAITING, 6.0, 20.0)])
def test_a_slow_call_is_unknown_and_the_next_one_works(
    make: Make, patch: str, least: float, most: float
) -> None:
    engine = make(patch, time_limit=1.0)
    assert ask(engine, "cos").result == F
    first = child_of(engine)
    start = time.monotonic()
    assert ask(engine, "sin").unknown == "the evaluation took more than 1 s"
    assert 0.9 * least <= time.monotonic() - start < most
    assert not runs(first)
    assert ask(engine, "tan").result == F
    second = child_of(engine)
    assert ask(engine, "sin").unknown  # remembered: it does not cost another second, nor the child
    assert child_of(engine) == second


@pytest.mark.one_python  # seconds, and no matter of Python or JAX
def test_gives_up_on_a_child_that_always_dies(make: Make) -> None:
    engine = make(DYING)
    for size in range(1, MAX_FAILURES // ATTEMPTS + 1):
        assert not engine.gave_up
        assert ask(engine, "sin", size).unknown
    assert engine.gave_up
    assert ask(engine, "cos").unknown == "the evaluation process does not run"
    assert engine._child is None


@pytest.mark.one_python  # seconds, and no matter of Python or JAX
def test_deaths_now_and_then_are_no_reason_to_give_up(make: Make) -> None:
    engine = make(DYING)
    for size in range(1, MAX_FAILURES // ATTEMPTS + 2):
        assert ask(engine, "sin", size).unknown
        assert ask(engine, "cos", size).result
    assert not engine.gave_up


@pytest.mark.parametrize(
    "line",
    ["not json", "", "3", "[]", '"text"', '{"error": {}}', '{"error": null}', "\\xff"],
)
def test_nonsense_is_unknown(make: Make, line: str) -> None:
    script = f"{READY}\nimport sys\nfor _ in sys.stdin: print({line!r}, flush=True)"
    engine = make(script=script)
    answer = ask(engine, "sin")
    assert answer.result is None
    assert answer.error is None
    assert answer.unknown


def test_an_answer_in_pieces(make: Make) -> None:
    script = (
        f"{READY}; import json, sys, time\n"
        "for line in sys.stdin:\n"
        "    nonce = json.dumps(json.loads(line)['nonce'])\n"
        "    for piece in ('{\"nonce\": ', nonce, ', \"res', 'ult\": [\"static\", 1]', '}\\n'):\n"
        "        print(piece, end='', flush=True)\n"
        "        time.sleep(0.1)\n"
    )
    assert ask(make(script=script), "sin").result == Static(1)


@pytest.mark.parametrize("python", ["/no/such/python", "/", "true"])
def test_an_interpreter_that_does_not_start(python: str) -> None:
    engine = Evaluator(python)
    for size in range(1, MAX_FAILURES + 1):
        assert ask(engine, "sin", size).unknown
    assert engine.gave_up
    assert ask(engine, "cos").unknown == "the evaluation process does not run"


def test_an_interpreter_without_jax(make: Make) -> None:
    engine = make("sys.modules['jax'] = None")
    answer = ask(engine, "sin")
    assert "jax" in str(answer.unknown)
    assert answer.fault


def test_one_evaluator_for_each_interpreter() -> None:
    assert evaluator("/no/such/python") is evaluator("/no/such/python")
    assert evaluator("/no/such/python") is not evaluator("/no/such/python", 1.0)


PARENT = """
import signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a shell's background jobs ignore
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.protocol import request
from jaxtyping_core.domain.values import Array
engine = Evaluator(sys.executable)
f = Array.of("float32", False, (3,))
assert engine.ask(request("jax.numpy.sin", [f], {}, x64=False, promotion="standard")).result == f
print(engine._child.pid, flush=True)
time.sleep(120)
"""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="looks for the process in /proc")
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_the_child_ends_with_its_parent(ending: signal.Signals) -> None:
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert runs(child)
        parent.send_signal(ending)
        parent.wait(timeout=60)
        assert wait_until(lambda: not runs(child))


def test_a_project_file_called_jax_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for name in ("jax", "json", "numpy"):
        (project / f"{name}.py").write_text(
            f"open({str(project / 'imported')!r}, 'w')\nraise SystemExit(9)\n"
        )
    monkeypatch.chdir(project)
    monkeypatch.setenv("PYTHONPATH", str(project))
    engine = Evaluator(sys.executable)
    assert ask(engine, "sin").result == F
    engine.close()
    assert not (project / "imported").exists()


def test_the_name_by_which_errors_are_short_is_still_jaxs() -> None:
    """Where it is not, calls that are tried get slow with the length of the trace, and nothing else says so."""
    from jax._src.interpreters import partial_eval

    from jaxtyping_core.evaluation.child.serve import ORIGIN

    assert callable(getattr(partial_eval.DynamicJaxprTracer, ORIGIN))
