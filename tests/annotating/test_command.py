"""``jaxtyping-core annotate``: what it shows, writes and refuses."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from annotating.facts_by_hand import call, floats
from jaxtyping_core.annotating import files
from jaxtyping_core.annotating.planning import Level
from jaxtyping_core.annotating.proving import Proven
from jaxtyping_core.cli.app import app
from jaxtyping_core.recording.fact_writer import Writer
from jaxtyping_core.recording.observed import Function
from jaxtyping_core.recording.store import Place, digest_of, load

PROGRAM = "import jax.numpy as jnp\n\n\ndef scale(x, by):\n    return x * by\n\n\nscale(jnp.ones(3), 2.0)\n"
WRITTEN = """\
from typing import TypeVar

import jax.numpy as jnp
from jaxtyping_core.typing import Float32

N = TypeVar("N")


def scale(x: Float32[N], by: float) -> Float32[N]:
    return x * by


scale(jnp.ones(3), 2.0)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a program and facts of it, where all annotations bring no error."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.py").write_text(PROGRAM)
    monkeypatch.setattr(files, "prove", _unproved)
    _record(tmp_path / "program.py")
    return tmp_path


def _unproved(plans: dict[Any, Any], *_: object) -> tuple[dict[Any, Any], dict[Any, Any]]:
    written = {path: Proven(plan.write(content, {})) for path, (plan, content) in plans.items()}
    levels = {
        path: {planned.number: Level() for planned in plan.functions} for path, (plan, _) in plans.items()
    }
    return written, levels


def _record(file: Path) -> None:
    writer = Writer(file.parent / "facts.sqlite3")
    number = writer.file(file.resolve(), digest_of(file.read_bytes()))
    writer.add_calls(number, Function("scale", 4), [(call(floats(3), x=floats(3), by=2.0), 1)])
    writer.close()


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["annotate", *arguments])


FROM = ("--from", "facts.sqlite3")


def test_the_default_shows_a_diff(folder: Path) -> None:
    result = run("program.py", *FROM)
    assert result.exit_code == 0
    assert result.stdout.startswith("--- program.py\n+++ program.py\n@@")
    assert "-def scale(x, by):\n+def scale(x: Float32[N], by: float) -> Float32[N]:\n" in result.stdout
    assert result.stderr.endswith(
        "Would annotate 1 function in 1 file. To write: jaxtyping-core annotate --write program.py --from facts.sqlite3\n"
    )
    assert (folder / "program.py").read_text() == PROGRAM


def test_write_writes_and_does_nothing_a_second_time(folder: Path) -> None:
    (folder / "program.py").chmod(0o755)
    assert run(".", *FROM, "--write").exit_code == 0
    assert (folder / "program.py").read_text() == WRITTEN
    assert (folder / "program.py").stat().st_mode & 0o777 == 0o755
    _record(folder / "program.py")
    again = run("program.py", *FROM, "--write")
    assert "Nothing to annotate" in again.stderr
    assert (folder / "program.py").read_text() == WRITTEN


def test_variables_are_annotated_if_asked(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen(plans: dict[Any, Any], *_: object) -> tuple[dict[Any, Any], dict[Any, Any]]:
        return {p: Proven(plan.write(text, {}, plan.assignments)) for p, (plan, text) in plans.items()}, {
            p: {planned.number: Level() for planned in plan.functions} for p, (plan, _) in plans.items()
        }

    monkeypatch.setattr(files, "prove", chosen)
    file = folder / "program.py"
    said = "no variables were recorded; record the run again with --places"
    assert said in run("program.py", *FROM, "--places").stderr
    file.write_text("def scale(x, by):\n    y = by(x)\n    return y\n")
    writer = Writer(folder / "facts.sqlite3")
    number = writer.file(file.resolve(), digest_of(file.read_bytes()))
    writer.add_place(number, Place(2, 4, "y"), floats(3))
    writer.close()
    assert "Nothing to annotate" in run("program.py", *FROM).stderr
    shown = run("program.py", *FROM, "--places")
    assert "+    y: Float32 = by(x)\n" in shown.stdout
    assert said not in shown.stderr


def test_what_cannot_be_annotated_is_said_in_a_line(folder: Path) -> None:
    (folder / "other.py").write_text("x = 1\n")
    (folder / "wrong.py").write_text("def f(:\n")
    cases = {
        (): "nothing to annotate",
        ("program.py", "--from", "none.sqlite3"): "none.sqlite3: there are no recorded calls",
        ("other.py", *FROM): "other.py: no calls were recorded in this file",
        ("wrong.py", *FROM): "wrong.py: line 1: not valid Python",
        ("nowhere.py", *FROM): "nowhere.py: no such file",
        ("program.py", *FROM, "--style", "nativ"): "unknown style 'nativ'; the nearest names are 'native'",
        ("program.py", *FROM, "--run", "x.py"): "--from and --run cannot be used together",
        ("program.py", "--run", "x.py"): "x.py: no such script",
    }
    for arguments, message in cases.items():
        result = run(*arguments)
        assert result.exit_code == 2, arguments
        assert result.stderr.startswith(f"jaxtyping-core: {message}"), result.stderr
        assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["program.py", "."])
def test_a_file_that_was_changed_since_is_refused(folder: Path, name: str) -> None:
    (folder / "program.py").write_text(PROGRAM + "# more\n")
    result = run(name, *FROM, "--write")
    assert result.exit_code == 2
    assert "the file has changed since it was recorded; record the run again" in result.stderr
    assert (folder / "program.py").read_text() == PROGRAM + "# more\n"


def test_a_file_that_may_not_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)  # root may write everything
    result = run("program.py", *FROM, "--write")
    assert result.exit_code == 2
    assert "no permission to write this file" in result.stderr
    assert (folder / "program.py").read_text() == PROGRAM


def test_help_says_first_that_a_run_runs_the_program() -> None:
    text = " ".join(run("--help").stdout.split())
    assert "With --run this command runs your program" in text


def test_what_a_run_showed_that_fails_is_kept(folder: Path) -> None:
    (folder / "failing.py").write_text("def f(x):\n    return x\n\n\nf(1)\nraise SystemExit(3)\n")
    command = [sys.executable, "-m", "jaxtyping_core", "annotate", "--run", "failing.py"]
    failed = subprocess.run(command, capture_output=True, text=True, check=False)
    assert failed.returncode == 2
    kept = ".jaxtyping_core/facts.sqlite3"
    assert failed.stderr.splitlines()[-1] == (
        "jaxtyping-core: failing.py exited with status 3, so no annotations were written; "
        f"the calls until then are recorded in {kept}, for use with `jaxtyping-core annotate FILE`"
    )
    assert load(folder / kept).files[(folder / "failing.py").resolve()].calls


@pytest.mark.skipif(os.name == "nt", reason="Ctrl-C is a signal to a group of processes elsewhere")
def test_what_a_run_showed_that_is_interrupted_is_kept(folder: Path) -> None:
    program = folder / "interrupted.py"
    program.write_text(
        "import os, signal, time\n\ndef f(x):\n    return x\n\n\nf(1)\nos.killpg(0, signal.SIGINT)\ntime.sleep(60)\n"
    )
    command = [sys.executable, "-m", "jaxtyping_core", "annotate", "--run", program.name]
    for kept, remedy in (("facts", ""), ("interrupted", " --from {kept}")):
        stopped = subprocess.run(command, capture_output=True, text=True, check=False, start_new_session=True)
        assert stopped.returncode == 2
        file = f".jaxtyping_core/{kept}.sqlite3"
        assert stopped.stderr.splitlines()[-1] == (
            "jaxtyping-core: interrupted.py was interrupted, so no annotations were written; "
            f"the calls until then are recorded in {file}, for use with `jaxtyping-core annotate FILE{remedy.format(kept=file)}`"
        )
        assert load(folder / file).files[program.resolve()].calls
