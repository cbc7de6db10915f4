"""mypy's daemon after random edits of two modules: what it says is what a run from a cache says, and a fresh one.

A few edits, always the same; ``DAEMON_EDITS=50`` for more.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import mypy_cache

pytestmark = pytest.mark.one_python

#: With or without the plugin, the daemon of mypy 2.4 crashes now and then where two modules change at once, or one
#: comes to import what was not imported before: the modules are edited one at a time, and their imports stay.
EDITS = int(os.environ.get("DAEMON_EDITS", "2"))
#: What an edit changes in a module, and to what.
OF_FIRST: dict[str, tuple[Any, ...]] = {
    "rows": (3, 4, 5),
    "columns": (3, 4, 5),
    "dtype": ("jnp.float32", "jnp.bfloat16", "jnp.int8"),
    "annotated": ("Float32[L, M]", "BFloat16[L, M]", "Float32[M, L]", "jax.Array", "Any"),
    "returned": ("x.T", "x", "x.sum(0)", "x @ weight", "jnp.sin(x)"),
    "method": ("return self.h", "return self.h.T", "return self.h.sum(axis)"),
    "extra": ("", "import jax.nn", "def unused() -> None: ...", "other_weight = weight"),
}
OF_SECOND: dict[str, tuple[Any, ...]] = {
    "depth": (3, 4, 5),
    "inner": (3, 4, 5),
    "operation": ("weight @ other", "weight + other", "turned(weight)", "jnp.concatenate([weight, other])"),
    "axis": ("0", "1", "2", "AXIS"),
    "again": ("size += 1", "pass", "size = other.ndim"),
}
FIRST = """\
from typing import Any, Literal
import jax
import jax.numpy as jnp
from jaxtyping_core.typing import *
L = Literal[{rows}]; M = Literal[{columns}]
AXIS = 1
weight = jnp.ones(({rows}, {columns}), {dtype})
{extra}
def turned(x: {annotated}):
    return {returned}
class Model:
    def __init__(self) -> None:
        self.h = jnp.zeros(({rows}, {columns}))
    def get(self, axis: int = 0) -> jax.Array:
        self.h = self.h * 2
        {method}
"""
SECOND = """\
import jax.numpy as jnp
from first import AXIS, Model, turned, weight
other = jnp.ones(({depth}, {inner}))
reveal_type(turned(weight))
reveal_type({operation})
def use() -> None:
    size = 3
    {again}
    reveal_type(jnp.zeros((size, {inner})))
    rows, columns = weight.shape
    reveal_type(jnp.zeros((columns, rows)))
    reveal_type(weight.sum({axis}))
    reveal_type(Model().get())
    reveal_type(Model().h)
"""


def write(folder: Path, state: dict[str, Any]) -> None:
    (folder / "first.py").write_text(FIRST.format(**state))
    (folder / "second.py").write_text(SECOND.format(**state))


def run(folder: Path, *command: str) -> list[str]:
    cache = command[-1].partition("--cache-dir=")[2] or "daemon"
    done = subprocess.run(
        [sys.executable, "-m", *command, "--no-error-summary", "first.py", "second.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env=mypy_cache.with_answers_in(folder / f"answers_of_{Path(cache).name}"),
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith(("first", "second"))]
    assert lines, done.stdout + done.stderr
    return sorted(lines)


def test_random_edits(tmp_path: Path) -> None:
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = jaxtyping_core.mypy\n")
    generator = random.Random(0)
    mypy_cache.begin(tmp_path / "other")
    state = {name: choices[0] for name, choices in {**OF_FIRST, **OF_SECOND}.items()}
    try:
        for number in range(EDITS):
            choices = generator.choice((OF_FIRST, OF_SECOND))
            for name in generator.sample(list(choices), generator.choice((1, 1, 2, 4))):
                state[name] = generator.choice(choices[name])
            write(tmp_path, state)
            daemon = run(tmp_path, "mypy.dmypy", "run", "--")
            cached = run(tmp_path, "mypy", "--cache-dir=other")
            assert daemon == cached, f"edit {number}: {state}"
            if number % 10 == 0:
                fresh = run(tmp_path, "mypy", f"--cache-dir={mypy_cache.begin(tmp_path / f'new_{number}')}")
                assert daemon == fresh, f"edit {number}: {state}"
    finally:
        stop = [sys.executable, "-m", "mypy.dmypy", "stop"]
        subprocess.run(stop, cwd=tmp_path, capture_output=True, check=False)
