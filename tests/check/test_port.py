"""Files that are ported from other libraries: the option, and the setting."""

from __future__ import annotations

from pathlib import Path

import pytest

from check_command import Check, assert_refused, write
from jaxtyping_core.settings import load

pytestmark = pytest.mark.one_python  # no matter of Python or JAX

PROGRAM = """\
import jax.numpy as jnp

x = jnp.zeros(3)
"""
CLEAN = "Success: no issues found in 1 source file\n"


@pytest.fixture
def program(tmp_path: Path) -> Path:
    write(tmp_path, program=PROGRAM)
    return tmp_path


def setting(folder: Path, text: str) -> None:
    """Write a project's settings."""
    (folder / "pyproject.toml").write_text(f"[tool.jaxtyping_core]\nport = {text}\n")


def test_no_file_is_ported_unless_it_is_named(check: Check, program: Path) -> None:
    assert check(program, "program.py").stdout == CLEAN
    assert check(program, "--port", "torch", "program.py").stdout == CLEAN


def test_the_option_names_what_is_checked(check: Check, program: Path) -> None:
    for path in ("program.py", "."):
        done = check(program, "--port", "numpy", path)
        first, last = done.stdout.splitlines()
        assert first.startswith("program.py:3: warning: this gives float32, and float64 in NumPy; ")
        assert first.endswith("  [port-numpy]")
        assert last == "Found 1 warning in 1 file (checked 1 source file)"
        assert done.returncode == 1


@pytest.mark.parametrize("path", ["program.py", "prog*.py", "."])
def test_the_setting_names_files(check: Check, program: Path, path: str) -> None:
    setting(program, f'{{numpy = ["{path}"]}}')
    assert "[port-numpy]" in check(program, "program.py").stdout


def test_the_setting_names_other_files(check: Check, program: Path) -> None:
    setting(program, '{numpy = ["other.py", "folder"], torch = ["program.py"]}')
    assert check(program, "program.py").stdout == CLEAN


def test_the_section_of_mypy(tmp_path: Path) -> None:
    file = tmp_path / "mypy.ini"
    file.write_text("[jaxtyping_core]\n[jaxtyping_core.port]\nnumpy = a.py b\n")
    settings = load(tmp_path, file)
    assert settings.ported(tmp_path / "a.py") == settings.ported(tmp_path / "b" / "c.py") == ["numpy"]
    assert settings.ported(tmp_path / "c.py") == []


def test_what_is_refused(check: Check, program: Path) -> None:
    assert_refused(check(program, "--port", "pandas", "program.py"), "library of --port")
    assert_refused(check(program, "--port", "numpy", "--mypy", "program.py"), "cannot be used with mypy")
    for text, words in {
        '{pandas = ["a.py"]}': "library in port",
        '{numpy = "a.py"}': "must be a list of paths",
        '["a.py"]': "must be a table of libraries and paths",
    }.items():
        setting(program, text)
        assert_refused(check(program, "program.py"), words)
