"""Children as forks of one process that has imported JAX: each has its own wall, and ends by itself or with its parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from jaxtyping_core.domain.values import Static
from jaxtyping_core.evaluation import nursery
from jaxtyping_core.evaluation.client import CHILD, Evaluator
from jaxtyping_core.evaluation.protocol import STOPS, Answer, request
from jaxtyping_core.evaluation.wall import environ

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux has the nursery: it needs pidfd and SOCK_SEQPACKET"
)
#: A process with two children, which it never ends.
PARENT = """
import sys, time
from jaxtyping_core.evaluation import nursery
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.protocol import STOPS
children = Evaluator(sys.executable), Evaluator(sys.executable, arguments=(STOPS,))
for child in children:
    child.wall()
(its,) = nursery._nurseries.values()
print(its._process.pid, *(child._child.pid for child in children), flush=True)
time.sleep(600)
"""


@pytest.fixture
def both() -> Iterator[list[Evaluator]]:
    """Two evaluators that share a nursery: the second one stops when it is told to."""
    made = [Evaluator(sys.executable), Evaluator(sys.executable, arguments=(STOPS,))]
    yield made
    for each in made:
        each.close()


def ones(evaluator: Evaluator, size: int) -> Answer:
    """What the evaluator says of an array of ones."""
    return evaluator.ask(
        request("jax.numpy.ones", (Static(size),), {}, x64=False, promotion="standard", system="jax")
    )


def pid_of(evaluator: Evaluator) -> int:
    assert evaluator._child is not None
    return evaluator._child.pid


def parent_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1])


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def all_end(pids: list[int]) -> bool:
    """Whether processes end within some seconds."""
    end = time.monotonic() + 10
    while any(map(runs, pids)) and time.monotonic() < end:
        time.sleep(0.02)
    return not any(map(runs, pids))


def test_children_are_forks_of_one_process(both: list[Evaluator]) -> None:
    walls = [evaluator.wall() for evaluator in both]
    first, second = map(pid_of, both)
    assert first != second
    assert parent_of(first) == parent_of(second) != os.getpid()
    assert walls[0] == walls[1] == Evaluator(sys.executable).wall()
    assert ones(both[0], 3).result is not None


def test_a_child_that_was_killed_is_forked_anew(both: list[Evaluator]) -> None:
    assert ones(both[0], 3).result is not None
    before = pid_of(both[0])
    its_parent = parent_of(before)
    os.kill(before, signal.SIGKILL)
    assert ones(both[0], 4).result is not None
    assert pid_of(both[0]) != before
    assert parent_of(pid_of(both[0])) == its_parent


def test_a_child_that_is_closed_has_ended(both: list[Evaluator]) -> None:
    both[0].wall()
    pid = pid_of(both[0])
    both[0].close()
    assert not runs(pid)


def test_a_nursery_that_was_killed_is_started_anew(both: list[Evaluator]) -> None:
    both[1].wall()
    pid = pid_of(both[1])
    os.kill(parent_of(pid), signal.SIGKILL)
    assert all_end([pid])
    assert ones(both[0], 3).result is not None


def test_a_folder_that_is_no_nursery_is_run_itself(tmp_path: Path) -> None:
    (tmp_path / "__main__.py").write_text("import sys\nprint(sys.argv[1])")
    process = nursery.start(sys.executable, tmp_path, ["said"], [])
    assert isinstance(process, subprocess.Popen)
    assert process.communicate()[0] == b"said\n"


def test_all_end_with_their_parent() -> None:
    command = [sys.executable, "-c", PARENT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, **environ.SET}) as parent:
        assert parent.stdout is not None
        pids = [*map(int, parent.stdout.readline().split())]
        ran = [*map(runs, pids)]
        parent.kill()
    assert ran == [True, True, True]
    assert all_end(pids)


def test_the_argument_is_the_childs() -> None:
    module = CHILD / nursery.MODULE
    assert f'"{nursery.OPTION}"' in module.read_text(encoding="utf-8")
