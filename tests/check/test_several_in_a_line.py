"""Several findings in one line: all are reported, from left to right, and each once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from check_command import Check, write

pytestmark = pytest.mark.one_python  # no matter of Python or JAX

PROGRAM = """\
import jax
import jax.numpy as jnp


def noisy(x, key):
    first = jax.random.normal(key, (3,)) + x[7] + jnp.ones(4) @ jnp.ones(5)
    return first + jax.random.normal(key, (3,)) + x[9] + x[8]


noisy(jnp.ones(3), jax.random.key(0))
noisy(jnp.ones(3), jax.random.key(1))
"""
SEVERAL = [
    ("6", "warning", "index-bounds"),
    ("6", "error", "array-shape"),
    ("7", "warning", "key-reuse"),
    ("7", "warning", "index-bounds"),
    ("7", "warning", "index-bounds"),
]
LINE = re.compile(r"^program\.py:(\d+): (error|warning): .*\[(.*)\]$", re.MULTILINE)


def test_several_codes_and_places(check: Check, check_with_mypy: Check, tmp_path: Path) -> None:
    write(tmp_path, program=PROGRAM)
    for command in (check, check_with_mypy):
        done = command(tmp_path, "program.py")
        assert LINE.findall(done.stdout) == SEVERAL
        assert done.stdout.endswith("Found 1 error and 4 warnings in 1 file (checked 1 source file)\n")
        messages = [line for line in done.stdout.splitlines() if "7: warning: index" in line]
        assert ["index 9" in message for message in messages] == [True, False]


def test_a_warning_beside_an_error_of_mypy(check_with_mypy: Check, tmp_path: Path) -> None:
    write(tmp_path, program="import jax.numpy as jnp\n\nx: int = jnp.ones(3)[7]\n")
    done = check_with_mypy(tmp_path, "program.py")
    assert LINE.findall(done.stdout) == [("3", "error", "assignment"), ("3", "warning", "index-bounds")]


@pytest.mark.parametrize(
    ("expression", "codes"),
    [
        ("x[7] + x[7]", ["index-bounds"]),  # the same words twice
        ("x[7] + x[8]", ["index-bounds", "index-bounds"]),
        ("x[7] + (x @ jnp.ones(5))", ["index-bounds", "array-shape"]),
        ("x[size]", ["index-bounds"]),  # one place, in other words for each call
        ("x[7] + x[8]  # jaxtyping: ignore[index-bounds]", []),
        ("x[7] + (x @ jnp.ones(5))  # jaxtyping: ignore[array-shape]", ["index-bounds"]),
    ],
)
def test_each_is_reported_once(check: Check, tmp_path: Path, expression: str, codes: list[str]) -> None:
    calls = "f(jnp.ones(3), 5)\nf(jnp.ones(3), 6)\n"
    write(
        tmp_path,
        program=f"import jax.numpy as jnp\n\n\ndef f(x, size):\n    return {expression}\n\n\n{calls}",
    )
    done = check(tmp_path, "program.py")
    assert [code for _, _, code in LINE.findall(done.stdout)] == codes


def test_all_of_a_line_are_silenced_at_once(check: Check, tmp_path: Path) -> None:
    write(tmp_path, program=PROGRAM)
    done = check(tmp_path, "program.py", "--add-ignores")
    assert done.stdout == "Silenced 2 lines in 1 file\n"
    lines = (tmp_path / "program.py").read_text().splitlines()
    assert lines[5].endswith("# jaxtyping: ignore[array-shape, index-bounds]")
    assert check(tmp_path, "program.py").stdout == "Success: no issues found in 1 source file\n"
