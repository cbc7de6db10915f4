"""``jaxtyping-core check`` where JAX cannot be asked: it says what was not evaluated, and fails if that is everything."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from check_command import Check, write

pytestmark = pytest.mark.one_python  # no matter of Python or JAX

ROOT = Path(__file__).parents[2]
PROGRAM = """\
import jax.numpy as jnp

def project(x):
    return x @ jnp.ones((5, 6))

project(jnp.ones((2, 3)))
"""
NOTHING = "No issues found, but no program was evaluated (checked 1 source file)\n"


def install(folder: Path, version: str) -> None:
    """Put the metadata of a JAX into a folder."""
    metadata = folder / f"jax-{version}.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: jax\nVersion: {version}\n")


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """The packages of an environment without JAX, in which mypy sees the stubs."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "env"], check=True)
    (packages,) = (tmp_path / "env").glob("lib/python*/site-packages")
    folders = (ROOT, ROOT / "mypy_plugin", ROOT / "stubs")
    (packages / "ours.pth").write_text("".join(f"{folder}\n" for folder in folders))
    return packages


def python_of(packages: Path) -> str:
    return str(packages.parents[2] / "bin" / "python")


def test_an_environment_without_jax(check: Check, tmp_path: Path, packages: Path) -> None:
    write(tmp_path, program=PROGRAM, plain="x: int = 1\n")
    option = f"--python={python_of(packages)}"
    for mypy in ([], ["--mypy"]):
        done = check(tmp_path, "program.py", option, *mypy, cache="without")
        assert (done.returncode, done.stdout.splitlines(True)[-1]) == (2, NOTHING)
        reason = f"{python_of(packages)} has no JAX; run pip install jax"
        assert f"program.py was not evaluated: {reason}" in done.stderr
        done = check(tmp_path, "program.py", option, *mypy, "--output-format", "json", cache="without")
        assert done.returncode == 2
        assert all(json.loads(line)["severity"] == "note" for line in done.stdout.splitlines())
    done = check(tmp_path, "plain.py", option, cache="without")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Success: no issues found in 1 source file\n"


def test_errors_that_are_known_without_jax_count(check: Check, tmp_path: Path, packages: Path) -> None:
    write(tmp_path, program=f"{PROGRAM}def rank(x: jnp.ndarray) -> int:\n    return x\n")
    option = f"--python-executable={python_of(packages)}"
    done = check(tmp_path, "--mypy", "program.py", option, cache="without")
    assert done.returncode == 1
    assert "program.py:8: error: Incompatible return value type" in done.stdout
    assert "program.py was not evaluated" in done.stderr


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("import os; os._exit(3)", "the evaluation process ended"),
        ("raise ImportError('no wheel')", "no wheel"),
    ],
)
def test_a_jax_that_does_not_start(
    check: Check, tmp_path: Path, packages: Path, code: str, reason: str
) -> None:
    install(packages, "0.12.0")
    (packages / "jax").mkdir()
    (packages / "jax" / "__init__.py").write_text(code)
    for name in ("first", "second"):
        write(tmp_path, **{name: PROGRAM})
    done = check(tmp_path, "first.py", "second.py", f"--python={python_of(packages)}")
    assert done.returncode == 2
    assert "No issues found, but no program was evaluated (checked 2 source files)" in done.stdout
    (note,) = done.stderr.splitlines()
    assert note.startswith(f"jaxtyping-core: first.py and second.py were not evaluated: {reason}")


def test_a_jax_that_is_too_old(check: Check, tmp_path: Path) -> None:
    install(tmp_path / "old", "0.4.30")
    write(tmp_path, program=PROGRAM.replace("5", "3"))
    done = check(tmp_path, "program.py", cache="old", PYTHONPATH=str(tmp_path / "old"))
    assert (done.returncode, done.stdout.splitlines(True)[-1]) == (2, NOTHING)
    assert (
        "program.py was not evaluated: JAX 0.4.30 is older than 0.10, the oldest supported version"
        in done.stderr
    )


def test_a_jax_that_is_newer_than_the_stubs(check: Check, tmp_path: Path) -> None:
    install(tmp_path / "new", "0.99.0")
    write(tmp_path, program=PROGRAM)
    done = check(tmp_path, "program.py", cache="new", PYTHONPATH=str(tmp_path / "new"))
    assert done.returncode == 1
    assert "[array-shape]" in done.stdout
    assert "JAX 0.99.0 is newer than 0.12, which the stubs describe" in done.stderr
