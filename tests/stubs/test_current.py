"""The committed stubs are what the generator writes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import jax
import pytest

from conftest import ROOT, current_jax


def generate(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(root / "stubs" / "generate.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of what the generator reads and writes."""
    shutil.copytree(ROOT / "stubs", tmp_path / "stubs")
    shutil.copytree(ROOT / "jaxtyping_core", tmp_path / "jaxtyping_core")
    return tmp_path


def test_committed_stubs_are_current() -> None:
    done = generate(ROOT, "--check")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(jax.__version__.startswith("0.12."), reason="on JAX 0.12 the stubs are compared")
def test_check_says_when_it_cannot_compare() -> None:
    assert "nothing compared" in generate(ROOT, "--check").stdout


@current_jax
def test_some_modules_are_the_same_when_they_are_generated_anew() -> None:
    """What their functions do is found out from nothing: a digest does not tell what a generator writes."""
    done = generate(ROOT, "--check", "--regenerate", "jax.ops", "jax.image")
    assert done.returncode == 0, done.stdout + done.stderr


@current_jax
def test_check_names_what_differs(copy: Path) -> None:
    package = copy / "stubs" / "jax-stubs"
    (package / "nn" / "__init__.pyi").write_text("def relu(): ...\n")
    (package / "numpy" / "fft.pyi").unlink()
    (package / "stray.pyi").touch()
    done = generate(copy, "--check")
    assert done.returncode == 1
    assert "nn/__init__.pyi: differs" in done.stdout
    assert "fft.pyi: is missing" in done.stdout
    assert "stray.pyi: is not generated" in done.stdout


@current_jax
def test_check_says_that_the_generator_has_changed(copy: Path) -> None:
    source = copy / "stubs" / "jaxtyping_core_stubs" / "tables.py"
    source.write_text(source.read_text(encoding="utf-8") + "\n#\n", encoding="utf-8")
    done = generate(copy, "--check")
    assert done.returncode == 1
    assert "the generator has changed" in done.stdout
