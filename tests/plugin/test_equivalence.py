"""mypy's other ways to run give the answers of a fresh run: several processes, caches, and the parser in Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mypy_cache

pytestmark = pytest.mark.one_python

FIRST = """\
import jax.numpy as jnp
from jaxtyping_core.typing import Float32
def first(x: Float32[{0}, {1}]) -> Float32[{1}, {0}]:
    return x.T
weight = jnp.ones(({0}, {1}))
params = {{"w": weight, "b": [weight, jnp.zeros({1})]}}
"""
SECOND = """\
import jax.numpy as jnp
from first import first, params, weight
reveal_type(first(weight))
reveal_type(weight @ jnp.ones(({2}, 2)))
reveal_type(params["w"])
reveal_type(params["b"][1])
class Model:
    def __init__(self) -> None:
        self.h = jnp.zeros(({0}, {1}))
    def step(self) -> None:
        self.h = self.h @ weight
"""
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


def run(folder: Path, *options: str) -> list[str]:
    """What mypy says."""
    (folder / "mypy.ini").write_text("[mypy]\nplugins = jaxtyping_core.mypy\n")
    command = [sys.executable, "-P", "-m", "mypy", "--no-error-summary", *options, "first.py", "second.py"]
    cache = options[-1].partition("--cache-dir=")[2] if options else ""
    env = mypy_cache.with_answers_in(folder / f"answers_of_{Path(cache).name}")
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=env)
    lines = [line for line in done.stdout.splitlines() if line.startswith(("first", "second"))]
    assert lines, done.stdout + done.stderr
    return sorted(lines)


SIZES = ((3, 4, 4), (3, 5, 4))


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """What a fresh run says of the program, and of the program after an edit: a cache has the stubs alone."""
    folder = tmp_path_factory.mktemp("fresh")
    said = []
    for edit, sizes in enumerate(SIZES):
        write(folder, sizes, edit)
        said.append(run(folder, f"--cache-dir={mypy_cache.begin(folder / f'cache_{edit}')}"))
    assert said[0] != said[1]
    return said


@pytest.mark.parametrize(
    "options", [("-n", "2"), ("--no-sqlite-cache",), ("--no-native-parser",)], ids=" ".join
)
def test_ways_to_run(options: tuple[str, ...], fresh: list[list[str]], tmp_path: Path) -> None:
    write(tmp_path, SIZES[0])
    assert run(tmp_path, *options) == fresh[0]
    assert run(tmp_path, *options) == fresh[0]  # out of the cache
    write(tmp_path, SIZES[1], 1)
    assert run(tmp_path, *options) == fresh[1]


MADE = """\
import jax
import jax.numpy as jnp
def made(n):
    return jnp.ones((n, {0}))
def turned(x: jax.Array) -> jax.Array:
    return {1}
"""
USED = """\
import jax.numpy as jnp
from first import made, turned
def use() -> None:
    reveal_type(made(4))
    reveal_type(turned(jnp.ones((2, 5))))
    made(4) @ jnp.ones((7, 2))
"""


@pytest.mark.parametrize("options", [(), ("-n", "2")], ids=" ".join)
def test_edit_of_a_body(options: tuple[str, ...], tmp_path: Path) -> None:
    """mypy keeps what it knows of a module before it checks bodies, and another module may need no check after an edit of one."""
    cache = mypy_cache.begin(tmp_path / "cache")
    said = []
    for edit, body in enumerate([("3", "x.T"), ("7", "x"), ("7", "x")]):
        (tmp_path / "second.py").write_text(USED)
        os.utime(tmp_path / "second.py", (START, START))
        (tmp_path / "first.py").write_text(MADE.format(*body))
        os.utime(tmp_path / "first.py", (START + edit, START + edit))
        said.append(run(tmp_path, *options, f"--cache-dir={cache}"))
    fresh = run(tmp_path, f"--cache-dir={mypy_cache.begin(tmp_path / 'fresh')}")
    assert said[0] != said[1]
    assert said[1] == said[2] == fresh
