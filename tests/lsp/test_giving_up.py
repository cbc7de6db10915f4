"""What is being looked at is given up for the text of now, and a process that hangs is ended."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from test_server import children

from editor import Editor
from jaxtyping_core.evaluation.client import Evaluator, Superseded
from jaxtyping_core.evaluation.process import processor_seconds
from jaxtyping_core.evaluation.protocol import STOPS
from jaxtyping_core.programs.evaluate import ask
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

pytestmark = [
    pytest.mark.one_python,
    pytest.mark.skipif(
        not Path("/proc/self/task").exists(), reason="only Linux lists the children of a process"
    ),
]

PROGRAM = """\
import jax.numpy as jnp


def summed(x, n):
    return x if n == 0 else summed(x, n - 1) + summed(x * 2, n - 1)


def main():
    result = summed(jnp.ones((8, 3)), 1)
    return result


main()
"""
#: Seconds until a test gives up: a process that hangs is given time that grows with what the last answer has taken.
LONGEST = 240.0
#: Evaluating it takes longer than an edit waits until the process is ended.
LONG = PROGRAM.replace("(8, 3)), 1)", "(7, 3)), 20)")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("folder")


@pytest.fixture(scope="module")
def editor(folder: Path) -> Iterator[Editor]:
    made = Editor(folder)
    yield made
    made.close()


@pytest.fixture(scope="module")
def program(editor: Editor, folder: Path) -> Path:
    """The program, opened and looked at."""
    file = folder / "program.py"
    file.write_text(PROGRAM)
    editor.open(file)
    known(editor, file, 8)
    return file


def known(editor: Editor, file: Path, rows: int) -> None:
    """Wait until it is known how many rows the result has."""
    editor.until(lambda: editor.hints(file), lambda hints: (9, f": float32[{rows}, 3]") in hints, LONGEST)


def test_edit_does_not_wait_for_what_is_worth_nothing(editor: Editor, program: Path) -> None:
    assert editor.client._server is not None
    (worker,) = children(editor.client._server.pid)
    editor.edit(program, PROGRAM.replace("(8, 3)", "(9, 3)"))
    known(editor, program, 9)
    evaluating = evaluating_of(worker)
    editor.edit(program, LONG)
    before = seconds_of(evaluating)
    editor.until(lambda: seconds_of(evaluating), lambda now: now > before + 0.5)
    editor.until(lambda: progress(editor), lambda told: told == ["begin"])
    editor.edit(program, PROGRAM.replace("(8, 3)", "(6, 3)"))
    known(editor, program, 6)
    editor.until(lambda: progress(editor), lambda told: told == ["begin", "end"])
    assert children(editor.client._server.pid) == [worker]  # neither it nor its child is ended for that
    assert evaluating in evaluators(worker)


def test_child_that_is_given_up_while_it_starts_is_of_use(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    (asked,) = collect([tmp_path / "program.py"])
    child = Evaluator(sys.executable, arguments=(STOPS,))
    child.is_superseded = lambda: True
    with pytest.raises(Superseded):
        ask(child, asked, Settings())
    child.is_superseded = lambda: False
    assert ask(child, asked, Settings()).places
    child.close()


def test_process_that_hangs_is_replaced_after_an_edit(editor: Editor, program: Path) -> None:
    assert editor.client._server is not None
    (worker,) = children(editor.client._server.pid)
    editor.edit(program, PROGRAM.replace("(8, 3)", "(9, 3)"))
    known(editor, program, 9)  # which takes less time than the first look
    os.kill(worker, signal.SIGSTOP)
    editor.edit(program, PROGRAM.replace("(8, 3)", "(5, 3)"))
    editor.rest(0.5)  # it is asked about that
    editor.edit(program, PROGRAM.replace("(8, 3)", "(6, 3)"))
    known(editor, program, 6)
    assert worker not in children(editor.client._server.pid)


def progress(editor: Editor) -> list[str]:
    """What the editor was told last of the progress of a look."""
    *_, last = [[], *editor.client.progress_reports.values()]
    return [report.kind for report in last]


def evaluating_of(worker: int) -> int:
    """The process that evaluates the program as it is in the editor: a fork of a child of a worker, or a child."""
    (evaluating,) = evaluators(worker)
    return evaluating


def evaluators(worker: int) -> list[int]:
    """The processes of a worker that evaluate programs."""
    own = [pid for pid in children(worker) if STOPS in Path(f"/proc/{pid}/cmdline").read_text().split("\0")]
    return own or [fork for pid in children(worker) for fork in children(pid)]


def seconds_of(pid: int) -> float:
    return processor_seconds(pid) or 0.0
