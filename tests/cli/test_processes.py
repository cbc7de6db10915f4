"""What is a process's own of each command: its exit status, the characters of its streams, and a reader that goes away.

Everything else is asked of forks of a nursery (see `forking`).
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mypy_cache

pytestmark = [pytest.mark.one_python, pytest.mark.own_processes]

COMMAND = Path(sys.executable).with_name("jaxtyping-core")
PROGRAM = """\
import jax.numpy as jnp


def é(x):
    return jnp.tanh(x)


y = é(jnp.ones((3, 4)))
"""
#: Commands that succeed, as their users call them. `annotate` reads what was recorded. `stubs` is not here, for it takes minutes to
#: describe all of JAX.
RIGHT = {
    "annotate": ["program.py"],
    "check": ["program.py"],
    "doctor": [],
    "explain": ["donated"],
    "promote": ["int8", "float32"],
    "table": [],
    "lattice": ["--output", "lattice.svg"],
    "record": ["--output", "again.sqlite3", "program.py"],
    "show": ["program.py"],
    "verify": ["program"],
    "--help": [],
    "--version": [],
}
#: Commands that are asked for what is not there, and the exit status of each.
REFUSED = {
    "annotate": ["nowhere.py"],
    "check": ["nowhere.py"],
    "doctor": ["--python", "nowhere"],
    "explain": ["nowhere"],
    "promote": ["int8", "float33"],
    "table": ["--system", "nowhere"],
    "lattice": ["--output", "nowhere/lattice.svg"],
    "record": ["nowhere.py"],
    "show": ["nowhere.py"],
    "stubs": ["--output", "program.py"],
    "verify": ["nowhere"],
    "nowhere": [],
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a program of which a run was recorded."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "program.py").write_text(PROGRAM, encoding="utf-8")
    mypy_cache.begin(folder / ".mypy_cache", config=mypy_cache.OF_CHECK)
    subprocess.run([COMMAND, "record", "--quiet", "program.py"], cwd=folder, check=True)
    return folder


@pytest.mark.parametrize("command", RIGHT)
def test_characters_that_the_streams_do_not_have(folder: Path, command: str) -> None:
    done = subprocess.run(
        [COMMAND, command, *RIGHT[command]],
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in done.stderr, done.stderr.decode()
    assert done.returncode == 0, done.stderr.decode()
    (done.stdout + done.stderr).decode()  # no half of a character


@pytest.mark.parametrize("command", RIGHT)
def test_a_reader_that_goes_away(folder: Path, command: str) -> None:
    """``jaxtyping-core show program.py | head -1``: nobody wants the rest, and that is no error of anybody's."""
    ours, theirs = os.pipe()
    os.close(ours)
    done = subprocess.run(
        [COMMAND, command, *RIGHT[command]], cwd=folder, stdout=theirs, stderr=subprocess.PIPE, check=False
    )
    os.close(theirs)
    said = done.stderr.decode()
    assert "Traceback" not in said, said
    assert "Exception ignored" not in said, said
    assert "INTERNAL ERROR" not in said, said


@pytest.mark.parametrize("command", REFUSED)
def test_what_is_refused(folder: Path, command: str) -> None:
    done = subprocess.run(
        [COMMAND, command, *REFUSED[command]], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    assert done.stderr
