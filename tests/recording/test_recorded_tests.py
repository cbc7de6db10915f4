"""``pytest --jaxtyping-record``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from .running import FACTS, calls, facts, write

SUITE = {
    "model": """
import dataclasses
import functools
import numpy as np

@dataclasses.dataclass
class Config:
    width: int
    scale: object

def twice(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)
    return wrapper

@twice
def dense(x, *, width=2):
    return x @ np.ones((x.shape[1], width), "float32")

def refuse(x):
    raise ValueError(x)

def never(x): ...
""",
    "tests__test_model": """
import numpy as np
import pytest
from model import Config, dense, refuse

@pytest.mark.parametrize("rows", [1, 2, 5])
def test_dense(rows):
    assert dense(np.ones((rows, 3), "float32")).shape == (rows, 2)

def test_refuse():
    with pytest.raises(ValueError):
        refuse(1)
    Config(3, np.ones(2))

def test_that_fails():
    assert False
""",
}


def suite(folder: Path, *options: str) -> tuple[int, str]:
    """Run a suite in a folder; the exit status and the output."""
    (folder / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    write(folder, **SUITE)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:randomly",
        *options,
    ]
    ended = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return ended.returncode, ended.stdout + ended.stderr


def test_a_suite_is_recorded(tmp_path: Path) -> None:
    status, output = suite(tmp_path, f"--jaxtyping-record={FACTS}", "tests")
    assert status == 1  # one test fails
    assert "1 failed, 4 passed" in output
    assert f"recorded 13 calls of 7 of 8 functions in 2 files; saved in {FACTS}" in output
    seen = calls(tmp_path, "model.py")
    assert {name: sum(calls.values()) for name, calls in seen.items()} == {
        "twice": 1,
        "twice.<locals>.wrapper": 3,
        "dense": 3,
        "refuse": 1,
    }
    assert sorted(str(call) for call in seen["dense"]) == sorted(
        f"Call(arguments=(('x', Array(dtype='float32', dims=({rows}, 3), weak=False, library='numpy')), "
        "('width', Scalar(kind='int', value=2))), "
        f"returned=Array(dtype='float32', dims=({rows}, 2), weak=False, library='numpy'))"
        for rows in (1, 2, 5)
    )
    assert set(facts(tmp_path).files[tmp_path / "model.py"].attributes["Config"]) == {"width", "scale"}
    status, output = suite(tmp_path, "-n1", "tests/test_model.py", f"--jaxtyping-record={FACTS}", "-q")
    assert (status, "recorded by the pytest-xdist workers" in output) == (1, True)
    assert sum(calls(tmp_path, "model.py")["dense"].values()) == 6


def test_nothing_happens_without_the_option(tmp_path: Path) -> None:
    write(
        tmp_path,
        conftest="""
import sys
def pytest_unconfigure():
    print("LOADED", [name for name in sys.modules if name.startswith("jaxtyping_core.recording")])
""",
    )
    status, output = suite(tmp_path, "-q", "-k", "refuse", "-s")
    assert status == 0
    assert "LOADED ['jaxtyping_core.recording', 'jaxtyping_core.recording.pytest_plugin']" in output
    assert [
        path.name for path in tmp_path.iterdir() if "facts" in path.name or "jaxtyping" in path.name
    ] == []


def test_a_folder_of_tests_is_not_taken_for_the_file(tmp_path: Path) -> None:
    status, output = suite(tmp_path, "--jaxtyping-record", "tests")
    assert status == 4
    assert "'tests' cannot hold recorded calls; write --jaxtyping-record=FILE" in output
