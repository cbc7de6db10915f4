"""The resident nursery: it serves one process after the other, reads no program, and is never needed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.test_nursery import all_end, ones, parent_of, pid_of, runs
from jaxtyping_core.evaluation import nursery, resident
from jaxtyping_core.evaluation.child import serve
from jaxtyping_core.evaluation.child.nursery import MOST_BRANCHES
from jaxtyping_core.evaluation.client import CHILD, Evaluator

pytestmark = [
    pytest.mark.skipif(
        sys.platform != "linux", reason="only Linux has the nursery: it needs pidfd and SOCK_SEQPACKET"
    ),
    pytest.mark.one_python,
]
#: A process with a child, of which it tells the number and that of the nursery.
ANOTHER = """
import sys, time
from pathlib import Path
from jaxtyping_core.evaluation.client import Evaluator
child = Evaluator(sys.executable)
assert child.wall()
pid = child._child.pid
status = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
print(pid, status[1], flush=True)
time.sleep(float(sys.argv[1]))
"""


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of addresses, with a short path as that of a socket must be. What listens there is ended."""
    folder = tempfile.TemporaryDirectory()
    monkeypatch.setenv("XDG_RUNTIME_DIR", folder.name)
    monkeypatch.setenv(resident.VARIABLE, "1")
    monkeypatch.delenv(resident.CI, raising=False)
    monkeypatch.setattr(nursery, "_nurseries", {})
    monkeypatch.setattr(resident, "_processes", [])
    with folder:
        yield Path(folder.name, "jaxtyping_core")
        for process in resident._processes:
            process.kill()
            process.wait()


@pytest.fixture
def child() -> Iterator[Evaluator]:
    evaluator = Evaluator(sys.executable)
    yield evaluator
    evaluator.close()


def another(seconds: float) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", ANOTHER, str(seconds)], stdout=subprocess.PIPE)


def numbers_of(process: subprocess.Popen[bytes]) -> tuple[int, int]:
    assert process.stdout is not None
    pid, parent = map(int, process.stdout.readline().split())
    return pid, parent


def test_it_serves_other_processes_and_outlives_them(runtime: Path, child: Evaluator) -> None:
    assert ones(child, 3).result is not None
    (its,) = resident._processes
    assert parent_of(pid_of(child)) == its.pid
    with another(600) as process:
        pid, parent = numbers_of(process)
        assert parent == its.pid
        process.kill()
    assert all_end([pid])
    assert its.poll() is None
    assert ones(child, 4).result is not None


def test_it_outlives_the_process_that_has_started_it(runtime: Path, child: Evaluator) -> None:
    with another(0) as process:
        _, first = numbers_of(process)
    assert runs(first)
    try:
        child.wall()
        assert parent_of(pid_of(child)) == first
        assert not resident._processes
    finally:
        os.kill(first, signal.SIGKILL)


def test_one_that_was_killed_is_started_anew(runtime: Path, child: Evaluator) -> None:
    assert ones(child, 3).result is not None
    before = pid_of(child)
    (its,) = resident._processes
    its.kill()
    its.wait()
    assert all_end([before])
    assert ones(child, 4).result is not None
    assert parent_of(pid_of(child)) == resident._processes[-1].pid != its.pid


def test_it_ends_when_nobody_asks(runtime: Path, child: Evaluator, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resident, "IDLE", 0.1)
    child.wall()
    (its,) = resident._processes
    time.sleep(0.5)
    assert its.poll() is None  # this process is connected
    nursery._nurseries.clear()
    child.close()
    assert its.wait(30) == 0
    (left,) = runtime.iterdir()
    (runtime / "old").touch()
    child.wall()
    assert left in runtime.iterdir()


def test_a_fork_has_no_way_to_the_nursery(runtime: Path, child: Evaluator) -> None:
    with another(600) as process:
        numbers_of(process)
        child.wall()
        ends = [str(end.readlink()) for end in Path(f"/proc/{pid_of(child)}/fd").iterdir()]
        process.kill()
    assert not [end for end in ends if end.startswith("socket:")]


def test_a_branch_has_imported_what_programs_name(runtime: Path, child: Evaluator) -> None:
    child.wall()
    trunk = parent_of(pid_of(child))
    with_library = Evaluator(sys.executable)
    with_library.modules = ("einops", "einops.no_module_at_all")
    assert with_library.wall()
    branch = parent_of(pid_of(with_library))
    assert branch != trunk and ones(with_library, 3).result is not None
    assert len(list(runtime.iterdir())) == 2
    again = Evaluator(sys.executable)
    again.modules = with_library.modules
    again.wall()
    assert parent_of(pid_of(again)) == branch
    for each in (with_library, again):
        each.close()
    assert ones(child, 4).result is not None
    assert runs(branch)


def test_a_branch_imports_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "einops", raising=False)
    serve.imported(["no_library_at_all", "einops.no_module_at_all", "einops"])
    assert "einops" in sys.modules


def test_branches_end_with_the_trunk(runtime: Path, child: Evaluator) -> None:
    child.modules = ("einops",)
    child.wall()
    branch, (trunk,) = parent_of(pid_of(child)), resident._processes
    trunk.kill()
    trunk.wait()
    assert ones(child, 3).result is not None  # who is connected is served
    child.close()
    nursery._nurseries.clear()
    assert all_end([branch])


def test_of_many_branches_the_oldest_ends(
    runtime: Path, child: Evaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    branches = []
    for number in range(MOST_BRANCHES + 1):
        child.modules = (f"no_module_{number}",)
        child.wall()
        branches.append(parent_of(pid_of(child)))
        child.close()
        nursery._nurseries.clear()
    assert len({*branches}) == MOST_BRANCHES + 1
    assert all_end(branches[:1])
    assert all(map(runs, branches[1:]))


@pytest.mark.parametrize("mode", [0o777, 0o750])
def test_a_folder_of_others_is_not_used(runtime: Path, child: Evaluator, mode: int) -> None:
    runtime.mkdir()
    runtime.chmod(mode)
    child.wall()
    assert not resident._processes
    assert ones(child, 3).result is not None


def test_a_path_that_is_too_long_is_not_used(
    runtime: Path, child: Evaluator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / ("long" * 20)))
    (tmp_path / ("long" * 20)).mkdir()
    assert ones(child, 3).result is not None
    assert not resident._processes


@pytest.mark.parametrize(
    ("variable", "value"), [(resident.VARIABLE, "0"), (resident.VARIABLE, "OFF"), (resident.CI, "true")]
)
def test_it_can_be_switched_off(
    runtime: Path, child: Evaluator, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    assert ones(child, 3).result is not None
    assert not resident._processes
    assert not runtime.exists()


def test_options_of_jax_are_those_of_the_command(
    runtime: Path, child: Evaluator, monkeypatch: pytest.MonkeyPatch
) -> None:
    child.wall()
    monkeypatch.setenv("JAX_ENABLE_CHECKS", "1")
    other = Evaluator(sys.executable)
    other.wall()
    try:
        assert parent_of(pid_of(child)) != parent_of(pid_of(other))
    finally:
        other.close()


def test_the_argument_is_the_childs() -> None:
    assert f'"{resident.OPTION}"' in (CHILD / nursery.MODULE).read_text(encoding="utf-8")
