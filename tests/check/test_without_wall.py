"""``show`` and ``check`` where the operating system does not isolate the evaluation, which is the case on other systems."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import mypy_cache
import without_wall
from jaxtyping_core.cli.app import app
from jaxtyping_core.evaluation import client
from jaxtyping_core.evaluation.wall import required

pytestmark = pytest.mark.one_python  # commands, and no matter of Python or JAX
PROGRAM = "import jax.numpy as jnp\n\n\ndef f(n):\n    return jnp.ones((n, 4))\n\n\nx = f(3)\n"
WARNING = "the operating system does not isolate the evaluation of programs (an old kernel)"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder, in a process whose children have no wall."""
    script = without_wall.write(tmp_path / "child.py")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "program.py").write_text(PROGRAM)
    mypy_cache.begin(folder / ".mypy_cache")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(client, "CHILD", script)
    monkeypatch.setattr(client, "_evaluators", {})
    monkeypatch.setattr(required._State, "by_this_process", False)
    monkeypatch.setenv(required.VARIABLE, "")
    yield folder
    for evaluator in client._evaluators.values():
        evaluator.close()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_show_warns_once(folder: Path) -> None:
    done = run("show", "program.py")
    assert done.exit_code == 0, done.output
    assert "x: float32[3, 4]" in done.output
    assert " ".join(done.output.split()).count(WARNING) == 1


def test_check_warns_once(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    done = run("check", "program.py")
    assert done.exit_code == 0, done.output
    assert done.stderr.count(WARNING) == 1


@pytest.mark.parametrize("command", ["show", "check"])
def test_a_wall_can_be_required(folder: Path, command: str) -> None:
    done = run(command, "program.py", "--require-wall")
    assert done.exit_code == 2
    assert f"nothing was evaluated: {WARNING}" in done.stderr
    assert "float32" not in done.output
