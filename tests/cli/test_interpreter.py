"""Which Python the commands ask about JAX: the one that is named, the active one, or their own; never one of the folder unasked."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jaxtyping_core import telling
from jaxtyping_core.cli.app import app
from jaxtyping_core.errors import CommandError
from jaxtyping_core.installation.diagnosis import Verdict, of_other
from jaxtyping_core.installation.interpreter import ACTIVE, environments, of_command_line
from jaxtyping_core.user import CACHE_VARIABLE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the interpreters here are shell scripts")
PROGRAM = "import jax.numpy as jnp\n\nx = jnp.ones((2, 3))\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, without an active environment."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "train.py").write_text(PROGRAM)
    monkeypatch.chdir(project)
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "answers"))
    monkeypatch.setattr(telling, "_told", set())
    for name in ACTIVE:
        monkeypatch.delenv(name, raising=False)
    return project


def environment(folder: Path, does: str = f'exec {shlex.quote(sys.executable)} "$@"') -> Path:
    """A folder that looks like an environment, whose Python does something; what this Python does by default."""
    python = folder / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f"#!/bin/sh\n{does}\n")
    python.chmod(0o755)
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.mark.parametrize("command", ["check", "show"])
def test_an_environment_of_the_folder_is_named_and_not_run(folder: Path, command: str) -> None:
    ran = folder / "ran"
    environment(folder / ".venv", f"touch {shlex.quote(str(ran))}; exit 1")
    result = run(command, "train.py")
    assert result.exit_code == 0
    (line,) = result.stderr.splitlines()
    assert line.endswith(".venv is not used; to use it, which runs code of this folder, pass --python .venv")
    assert not ran.exists()
    assert run(command, "train.py", "--python", ".venv").exit_code == 2
    assert ran.exists()


@pytest.mark.parametrize("variable", ACTIVE)
def test_the_active_environment_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    active = environment(tmp_path / "active")
    monkeypatch.setenv(variable, str(active))
    assert of_command_line(None) == str(active / "bin" / "python")
    result = run("show", "train.py")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "x: float32[2, 3]" in result.stdout


def test_the_active_environment_may_be_that_of_the_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", str(environment(folder / ".venv")))
    assert environments(folder) == (str(folder / ".venv" / "bin" / "python"), [])


def test_an_environment_that_is_gone_is_not_active(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "gone"))
    assert of_command_line(None) is None
    (tmp_path / "gone").mkdir()
    assert of_command_line(None) is None


def test_an_active_environment_without_jax_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", str(environment(tmp_path / "bare", "exit 1")))
    assert of_command_line(None) is None


def test_what_is_named_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VIRTUAL_ENV", str(environment(tmp_path / "active")))
    named = environment(tmp_path / "named")
    assert of_command_line(str(named)) == str(named / "bin" / "python")
    with pytest.raises(CommandError, match="there is no Python 'nowhere'"):
        of_command_line("nowhere")


def test_doctor_says_which_environment_commands_use(folder: Path) -> None:
    (note,) = of_other("/tools/bin/python", "/project/bin/python", [])
    assert note.verdict is Verdict.NOTE
    assert "check and show use the packages of /project/bin/python" in note.fact
    assert note.remedy == "jaxtyping-core doctor --python /project/bin/python"
    assert of_other("/tools/bin/python3", "/tools/bin/python", []) == []
    environment(folder / "venv")
    (unused,) = of_other(sys.executable, *environments(folder))
    assert "venv is not used" in unused.fact
