"""Builds that go on from the last one say what new builds say, and are none where something else has changed."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from mypy.errors import CompileError

import mypy_cache
from jaxtyping_core_mypy.builds import build_texts
from jaxtyping_core_mypy.inferred import OPTIONS

pytestmark = pytest.mark.one_python

HELPER = "import jax\nimport jax.numpy as jnp\ndef made() -> jax.Array:\n    return jnp.ones(3)\n"
PROGRAM = """\
import jax.numpy as jnp
from helper import made
class Model:
    def __init__(self, size: int) -> None:
        self.weight = jnp.ones((3, size))
def inner(x):
    return jnp.ones(3) + jnp.ones(4)
reveal_type(made() + jnp.ones((2, 3)))
reveal_type(Model(4).weight)
"""
#: An edit, and whether the last build serves.
EDITS = (
    (PROGRAM.replace("ones((2, 3))", "ones((2, 4))"), True),
    (PROGRAM.replace("self.weight", "self.bias"), True),
    (PROGRAM.replace("int)", "str)").replace("def inner(x)", "def inner(x: int) -> str"), True),
    ("# mypy: disable-error-code=attr-defined\n" + PROGRAM.replace("self.weight", "self.bias"), True),
    (PROGRAM + "def broken(:\n", False),
    (PROGRAM, False),
    ("import missing\n" + PROGRAM, False),
    ("import missing\n\n" + PROGRAM.replace("4)", "5)"), True),
    (PROGRAM, False),
)


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program beside a module that it imports, with a cache that has both."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mypy.ini").write_text("[mypy]\nplugins = jaxtyping_core.mypy\n")
    mypy_cache.begin(tmp_path / ".mypy_cache")
    (tmp_path / "helper.py").write_text(HELPER)
    (tmp_path / "program.py").write_text(PROGRAM)
    time.sleep(0.02)  # a module that has changed since a build began may have been read before
    return tmp_path / "program.py"


def built(program: Path, text: str, *, again: bool = True, own: Any = None) -> tuple[Any, list[str]]:
    """The manager of a build, None if mypy cannot check the program, and what mypy says."""
    program.write_text(text)
    arguments = ["--config-file", "mypy.ini"]
    try:
        result = build_texts({program.name: text}, arguments, own or {}, lambda _: None, again=again).result
    except CompileError as error:
        return None, error.messages
    return result.manager, result.errors


def test_it_says_what_a_new_build_says(program: Path) -> None:
    for _ in range(2):  # the first one checks the helper, and is none to go on from
        last, said = built(program, PROGRAM)
    # Functions without annotations are looked into by the same build.
    looked, more = built(program, PROGRAM, own=OPTIONS)
    assert looked is last
    assert (said, len(said)) == ([line for line in more if line in said], len(more) - 1)
    all_said = []
    for text, serves in EDITS:
        manager, said = built(program, text)
        assert (manager is last) == serves, text
        assert said
        last = manager
        all_said.append(said)
    for (text, _), said in zip(EDITS, all_said, strict=True):
        assert said == built(program, text, again=False)[1], text
    # A build that knows nothing of that one has other classes.
    assert built(program, PROGRAM)[0] is not last
    program.with_name("helper.py").write_text(HELPER.replace("def made", "def other"))
    assert any('"helper" has no attribute "made"' in line for line in built(program, PROGRAM)[1])
