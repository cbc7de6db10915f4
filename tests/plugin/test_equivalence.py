"""mypy's other ways to run give the answers of a fresh run: several processes, caches, and the daemon."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

FIRST = """\
import jax.numpy as jnp
from jaxtyping_core.typing import Float32
def first(x: Float32[{0}, {1}]) -> Float32[{1}, {0}]:
    return x.T
weight = jnp.ones(({0}, {1}))
"""
SECOND = """\
import jax.numpy as jnp
from first import first, weight
reveal_type(first(weight))
reveal_type(weight @ jnp.ones(({2}, 2)))
class Model:
    def __init__(self) -> None:
        self.h = jnp.zeros(({0}, {1}))
    def step(self) -> None:
        self.h = self.h @ weight
"""
EDITS = 6
#: When the first program was written.
START = 1_700_000_000


def write(folder: Path, sizes: tuple[int, int, int], edit: int = 0) -> None:
    """Write the program. In mypy's cache, a file of the same size and second is the same file."""
    head = "from typing import Literal\n"
    first = FIRST.replace("Float32[{0}, {1}]", "Float32[Literal[{0}], Literal[{1}]]")
    first = first.replace("Float32[{1}, {0}]", "Float32[Literal[{1}], Literal[{0}]]")
    for name, text in {"first": head + first.format(*sizes), "second": SECOND.format(*sizes)}.items():
        file = folder / f"{name}.py"
        file.write_text(text)
        os.utime(file, (START + edit, START + edit))


def run(folder: Path, *options: str, daemon: bool = False) -> list[str]:
    """What mypy, or its daemon, says."""
    (folder / "mypy.ini").write_text("[mypy]\nplugins = jaxtyping_core.mypy\n")
    start = ["mypy.dmypy", "run", "--"] if daemon else ["mypy"]
    command = [sys.executable, "-m", *start, "--no-error-summary", *options, "first.py", "second.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith(("first", "second"))]
    assert lines, done.stdout + done.stderr
    return sorted(lines)


@pytest.mark.parametrize("options", [("-n", "2"), ("--no-sqlite-cache",)], ids=" ".join)
def test_ways_to_run(options: tuple[str, ...], tmp_path: Path) -> None:
    write(tmp_path, (3, 4, 4))
    fresh = run(tmp_path, "--no-incremental")
    assert run(tmp_path, *options) == fresh
    assert run(tmp_path, *options) == fresh  # out of the cache
    write(tmp_path, (3, 5, 4), 1)
    changed = run(tmp_path, "--no-incremental")
    assert changed != fresh
    assert run(tmp_path, *options) == changed


def test_the_daemon(tmp_path: Path) -> None:
    generator = random.Random(0)
    stop = [sys.executable, "-m", "mypy.dmypy", "stop"]
    different = []
    try:
        for edit in range(EDITS):
            sizes = (generator.choice((3, 4)), generator.choice((3, 4)), generator.choice((3, 4)))
            write(tmp_path, sizes, edit)
            said, expected = run(tmp_path, daemon=True), run(tmp_path, "--cache-dir=other")
            different += [(said, expected)] if said != expected else []
        different += [(said, expected)] if said != run(tmp_path, "--no-incremental") else []
    finally:
        subprocess.run(stop, cwd=tmp_path, capture_output=True, check=False)
    assert different == []
