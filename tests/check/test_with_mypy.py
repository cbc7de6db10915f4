"""``jaxtyping-core check --mypy`` as its users run it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from check_command import CLEAN, COMMAND, Check, Environment, assert_refused, write
from jaxtyping_core.checking.run import run_mypy
from jaxtyping_core.errors import CommandError

MISTAKES = """\
import jax.numpy as jnp
x = jnp.zeros((3, 4))
reveal_type(x)
x + jnp.ones((3, 5))
x & 1
"""
REPORT = """\
mistakes.py:3: note: Revealed type is "float32[3, 4]"
mistakes.py:4: error: float32[3, 4] + float32[3, 5] does not broadcast: axis -1 is 4 on the left and 5 on the \
right; sizes must be equal, or one of them 1  [array-shape]
"""


@pytest.fixture
def check(check_with_mypy: Check) -> Check:
    """All of this file is about mypy's messages."""
    return check_with_mypy


def test_a_clean_program(check: Check, tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN)
    done = check(tmp_path, "clean.py")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Success: no issues found in 1 source file\n"


def test_a_dtype_and_a_shape_mistake(check: Check, tmp_path: Path) -> None:
    write(tmp_path, mistakes=MISTAKES)
    done = check(tmp_path, "mistakes.py")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith(REPORT)
    _, _, third, last = done.stdout.splitlines()
    assert third.startswith("mistakes.py:5: error: JAX refuses float32[3, 4] & ")
    assert third.endswith("  [array-dtype]")
    assert last == "Found 2 errors in 1 file (checked 1 source file)"


@pytest.mark.one_python
def test_without_paths_the_current_folder_is_checked(check: Check, tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN, mistakes=MISTAKES)
    for arguments in ((), ("--exclude", "nothing.py")):  # an option's value is no path
        done = check(tmp_path, *arguments)
        assert done.returncode == 1
        assert done.stdout.endswith("Found 2 errors in 1 file (checked 2 source files)\n")


@pytest.mark.one_python
def test_mypy_options_are_passed_on(check: Check, tmp_path: Path) -> None:
    write(tmp_path, untyped=CLEAN + "def f(x):\n    return x\n")
    assert check(tmp_path, "untyped.py").returncode == 0
    for arguments in (("untyped.py", "--strict"), ("--strict", "-m", "untyped")):
        done = check(tmp_path, *arguments, cache="strict")
        assert done.returncode == 1
        assert "untyped.py:3: error: Function is missing a type annotation  [no-untyped-def]" in done.stdout
    assert check(tmp_path, "-c", CLEAN + "x & x").stdout.count("[array-dtype]") == 1


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["missing.py"], ["missing.py"]),
        (["broken.py"], ["broken.py:", "error: ", "[syntax]"]),
        (["not_text.py"], ["not_text.py", "utf-8"]),
        (["-m", "no_such_module"], ["no_such_module"]),
        (["--no-such-option"], ["--no-such-option"]),
    ],
)
def test_what_cannot_be_checked(check: Check, tmp_path: Path, arguments: list[str], parts: list[str]) -> None:
    """mypy's own words and status."""
    write(tmp_path, broken="x = (\n")
    (tmp_path / "not_text.py").write_bytes(b"x = '\xff'\n")
    done = check(tmp_path, *arguments)
    assert done.returncode == 2
    assert all(part in done.stdout + done.stderr for part in parts), done.stdout + done.stderr


def test_a_file_that_may_not_be_read(check: Check, tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN)
    (tmp_path / "clean.py").chmod(0)
    if os.access(tmp_path / "clean.py", os.R_OK):
        pytest.skip("this user, root perhaps, may read every file")
    done = check(tmp_path, "clean.py")
    assert done.returncode == 2
    assert "clean.py" in done.stdout + done.stderr


MARKING = "open('marker', 'w')\nprint('it runs')\nraise SystemExit(7)\n"


def assert_not_run(done: subprocess.CompletedProcess[str], folder: Path) -> None:
    assert not list(folder.rglob("marker"))
    assert "it runs" not in done.stdout + done.stderr


@pytest.mark.one_python
def test_modules_in_the_current_folder_are_not_imported(check: Check, tmp_path: Path) -> None:
    """Under the names of what the command, mypy and the evaluation import."""
    shadows = ("jaxlib", "jaxtyping_core_mypy", "json", "ml_dtypes", "mypy", "click", "rich", "tomlkit")
    write(tmp_path, mistakes=MISTAKES, **dict.fromkeys(shadows, MARKING))
    done = check(tmp_path, "mistakes.py", cache="shadows")
    assert_not_run(done, tmp_path)
    assert done.stdout.count("[array-shape]") == done.stdout.count("[array-dtype]") == 1


@pytest.mark.one_python
def test_modules_that_stand_for_the_installed_ones_are_only_read(check: Check, tmp_path: Path) -> None:
    """mypy takes them for the modules, as Python would, and may have errors to report."""
    for names in (("jax", "jaxtyping_core", "numpy"), ("typing",)):
        write(tmp_path, clean=CLEAN, **dict.fromkeys(names, MARKING))
        assert_not_run(check(tmp_path, cache="shadows"), tmp_path)


@pytest.mark.one_python
def test_the_checked_program_is_not_run(check: Check, tmp_path: Path) -> None:
    write(tmp_path, mistakes=MARKING.replace("raise SystemExit(7)", "") + MISTAKES)
    done = check(tmp_path, "mistakes.py")
    assert done.stdout.count("[array-shape]") == done.stdout.count("[array-dtype]") == 1
    assert_not_run(done, tmp_path)


@pytest.mark.one_python
def test_settings(check: Check, tmp_path: Path) -> None:
    program = "import jax.numpy as jnp\nreveal_type(jnp.zeros(3))\njnp.zeros(3) + jnp.arange(3)\n"
    write(tmp_path, program=program)
    done = check(tmp_path, "program.py")
    assert done.returncode == 0
    assert '"float32[3]"' in done.stdout
    (tmp_path / "pyproject.toml").write_text('[tool.jaxtyping_core]\nx64 = true\npromotion = "strict"\n')
    done = check(tmp_path, "program.py", cache="settings")
    assert done.returncode == 1
    assert '"float64[3]"' in done.stdout
    assert "program.py:3: error: " in done.stdout
    assert "float64[3] + int64[3]" in done.stdout
    assert "[array-dtype]" in done.stdout


@pytest.mark.parametrize("missing", ["mypy", "tomlkit"])
def test_a_missing_dependency_is_one_line(check: Check, tmp_path: Path, missing: str) -> None:
    write(tmp_path, clean=CLEAN)
    (tmp_path / "pyproject.toml").write_text("[tool.mypy]\n")
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    write(hidden, sitecustomize=f"import sys\nsys.modules[{missing!r}] = None\n")
    done = check(tmp_path, "clean.py", PYTHONPATH=str(hidden))
    assert_refused(done, f"needs {missing}", "pip install 'jaxtyping-core[mypy]'")


def test_a_folder_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In this process, where root can be told no: mypy itself ends in a traceback."""
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(CommandError, match="no permission to read this folder"):
        run_mypy([str(tmp_path)])


OTHERS = "def f(x: int) -> str:\n    return x\n"


@pytest.mark.one_python
@pytest.mark.parametrize("written", ["option", "setting"])
def test_all_of_mypys_errors_are_printed(tmp_path: Path, environment: Environment, written: str) -> None:
    write(tmp_path, others=OTHERS)
    is_set = written == "setting"
    if is_set:
        (tmp_path / "pyproject.toml").write_text("[tool.jaxtyping_core]\nmypy = true\n")
    command = [str(COMMAND), "check", "others.py", *([] if is_set else ["--mypy"]), "--no-error-summary"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, env=environment()
    )
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("others.py:2: error: ") and "[return-value]" in done.stdout
    assert done.stdout.count("\n") == 1


@pytest.mark.one_python
def test_the_python_is_mypys_as_well(check: Check, tmp_path: Path) -> None:
    write(tmp_path, clean=CLEAN)
    done = check(tmp_path, "clean.py", "--python", "no_such_python")
    assert_refused(done, "there is no Python 'no_such_python'")
