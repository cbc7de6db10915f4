"""The quick fixes that the server offers: each makes a finding go away, and no other one appears."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from editor import Editor, edited

pytestmark = pytest.mark.one_python


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """One session for all tests."""
    editor = Editor(tmp_path_factory.mktemp("fixes"), settings={"diagnostics": "on"})
    yield editor
    editor.close()


@pytest.fixture
def program(editor: Editor, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A file that is open, and has nothing in it."""
    file = tmp_path_factory.mktemp("project") / "program.py"
    file.write_text("")
    editor.open(file)
    yield file
    editor.shut(file)


FIXABLE = """\
from typing import Literal, TypeVar

import jax.numpy as jnp
from jaxtyping_core.typing import BFloat16, Float32

B, D = TypeVar("B"), TypeVar("D")


def scores(q: BFloat16[B, D], k: BFloat16[B, D]) -> Float32[B, B]:
    return q @ k.T


def centered(x):
    mean = x.mean(axis=1)
    return x - mean


def total(x: Float32[B], y: Float32[B]) -> Float32[B]:
    return x + y


centered(jnp.ones((8, 3)))
total(jnp.ones(3), jnp.ones(3, jnp.bfloat16))
halved: Float32[Literal[3]] = jnp.ones(3, jnp.float16)
"""


def test_fixes_are_those_after_which_the_error_is_gone(editor: Editor, program: Path) -> None:
    editor.edit(program, FIXABLE)
    expected = {
        10: [
            "    return jnp.matmul(q, k.T, preferred_element_type=jnp.float32)",
            "    return (q @ k.T).astype(jnp.float32)",
        ],
        14: [],  # where no error is, there is nothing to be fixed
        15: ["    mean = x.mean(axis=1, keepdims=True)", "    return x - mean[:, None]"],
        23: ["total(jnp.ones(3), jnp.ones(3, jnp.bfloat16).astype(jnp.float32))"],
        24: ["halved: Float32[Literal[3]] = jnp.ones(3, jnp.float16).astype(jnp.float32)"],
    }

    def fixed(line: int) -> list[str]:
        quick = [action for action in editor.actions(program, line).values() if action.kind == "quickfix"]
        assert [bool(action.is_preferred) for action in quick] == [True, False][: len(quick)]
        assert [d.range.start.line + 1 for action in quick for d in action.diagnostics or ()] == [line] * len(
            quick
        )
        before = FIXABLE.splitlines()
        return [
            next(new for old, new in zip(before, edited(FIXABLE, action, program), strict=True) if new != old)
            for action in quick
        ]

    editor.until(lambda: len(editor.diagnostics(program) or ()), lambda count: count == 4)
    for line, lines in expected.items():
        editor.until(lambda line=line: fixed(line), lambda text, lines=lines: text == lines)


OF_RULES = """\
import jax.numpy as jnp


def scaled(x, scale):
    return x * scale


scaled(jnp.ones(3, jnp.bfloat16), jnp.ones(3))
start = jnp.zeros(3, jnp.float64)
"""


def test_fixes_of_rules(editor: Editor, program: Path) -> None:
    editor.edit(program, OF_RULES)
    expected = {
        5: ["    return x * scale.astype(jnp.bfloat16)"],
        9: ["start = jnp.zeros(3, jnp.float32)"],
    }

    def fixed(line: int) -> list[str]:
        quick = [action for action in editor.actions(program, line).values() if action.kind == "quickfix"]
        return [edited(OF_RULES, action, program)[line - 1] for action in quick]

    editor.until(lambda: len(editor.diagnostics(program) or ()), lambda count: count == 2)
    for line, lines in expected.items():
        editor.until(lambda line=line: fixed(line), lambda text, lines=lines: text == lines)
