"""Cases in mypy's own format: ``[case name]``, then code with ``# E: ...`` and ``# N: ...`` on its lines.

The messages of a line must be exactly those of its comments, where ``...`` stands for any words: JAX's messages differ from version to version. The imports of `PRELUDE`
stand before every case. All cases are checked in one run of mypy.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import shared
from harness import Messages, run_mypy
from jaxtyping_core.evaluation.protocol import OWN_CODES
from jaxtyping_core.pages import page

DATA = Path(__file__).parent / "data"
ROOT = Path(__file__).parents[2]
CODE_PAGES = ROOT / "docs" / "reference" / "codes"
CASE = re.compile(r"^\[case (\w+)\]$", re.MULTILINE)
EXPECTED = re.compile(r"# ([EN]: .*?)(?=\s+# [EN]: |$)")
PRELUDE = """\
from collections.abc import Callable, Sequence
from typing import Any, Generic, Literal, NamedTuple, TypeVar
import jax
import jax.numpy as jnp
from jaxtyping_core.typing import *
from jaxtyping_core.typing import Array, ArrayLike
B = TypeVar("B"); D = TypeVar("D"); H = TypeVar("H"); N = TypeVar("N"); I = TypeVar("I"); O = TypeVar("O")
L3 = Literal[3]; L4 = Literal[4]; L5 = Literal[5]
"""


def read_cases() -> dict[str, str]:
    cases: dict[str, str] = {}
    for file in sorted(DATA.glob("*.test")):
        _, *parts = CASE.split(file.read_text())
        for name, body in zip(parts[::2], parts[1::2], strict=True):
            assert name not in cases, f"two cases are called {name}"
            cases[name] = PRELUDE + body.lstrip("\n")
    return cases


CASES = read_cases()


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> Messages:
    return said(tmp_path_factory)


def said(tmp_path_factory: pytest.TempPathFactory) -> Messages:
    """What mypy says of the cases, which it is asked but once in a run of the tests."""
    return shared.value("cases", lambda: run_mypy(CASES, tmp_path_factory.mktemp("cases")))


def of_own_functions() -> list[str]:
    """The cases that `test_own_functions` compares with what they give when they run."""
    files = ("own_functions.test", "own_objects.test", "trees.test")
    return [name for file in files for name in CASE.findall((DATA / file).read_text())]


@pytest.mark.parametrize("name", CASES)
def test_case(name: str, messages: Messages) -> None:
    lines = CASES[name].splitlines()
    expected = {i: EXPECTED.findall(line) for i, line in enumerate(lines, 1) if EXPECTED.search(line)}
    said = {i: [shorten(text, expected.get(i, [])) for text in texts] for i, texts in messages[name].items()}
    assert {i: sorted(texts) for i, texts in said.items()} == {
        i: sorted(texts) for i, texts in expected.items()
    }


@pytest.mark.parametrize("code", sorted(OWN_CODES))
def test_every_code_has_a_page(code: str) -> None:
    text = (CODE_PAGES / f"{code}.md").read_text()
    assert text.startswith(f"# {code}\n")
    assert f"[{code}]" in text
    assert f"({code}.md)" in (CODE_PAGES / "index.md").read_text()


def test_links(tmp_path: Path) -> None:
    """As for mypy's own codes: asked for, and once for each code."""
    program = "import jax.numpy as jnp\njnp.ones(3) + jnp.ones(4)\njnp.ones(3) @ jnp.ones(4)\n"
    said = run_mypy({"program": program}, tmp_path, "", "--show-error-code-links")["program"]
    assert said[2][1:] == [f"N: See {page('reference/codes/array-shape')} for more info"]
    assert len(said[3]) == 1


def shorten(text: str, expected: list[str]) -> str:
    """The expectation that matches `text`, or `text` where none does."""
    patterns = [(e, ".+".join(map(re.escape, e.split("...")))) for e in expected]
    return next((e for e, pattern in patterns if re.fullmatch(pattern, text)), text)
