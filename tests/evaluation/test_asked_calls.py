"""Calls of a program's functions that are asked about: the program is walked once, and each call leaves it as it was."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jaxtyping_core.domain.values import Array, Call, Own, Static, Value
from jaxtyping_core.engine.asked_calls import OF_STATEMENT
from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.evaluation.protocol import BODY, OBJECT, Answer, request
from jaxtyping_core.programs import evaluate
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

X = Array.of("float32", False, (3, 4))
TEXT = f"""
import pathlib
import jax
import jax.numpy as jnp
from typing import NamedTuple

SEEN = []
COUNT = 0

class Pair(NamedTuple):
    left: jax.Array
    right: jax.Array

class Layer:
    def __init__(self, sizes):
        self.w = jnp.ones(sizes)
    def __call__(self, x):
        return x @ self.w

for i in range({OF_STATEMENT}):
    SEEN.append(i)
    SEEN.append(i)
SEEN = []

def grow(x):
    SEEN.append(x)
    return jnp.stack(SEEN)

def count(x):
    global COUNT
    COUNT += 1
    return jnp.ones(COUNT)

@jax.jit
def double(x):
    return x + x

def summed(pair):
    return pair.left + pair.right

def wrong(x):
    return x @ x

def harm(x):
    pathlib.Path("pwned").write_text("pwned")
    open("pwned", "w").write("pwned")
    return x

if __name__ == "__main__":
    raise SystemExit("this is no script")
"""


class Asking:
    """Asks one child about the functions of a program."""

    def __init__(self, folder: Path, text: str, seconds: float = 5.0) -> None:
        self.child = Evaluator(sys.executable)
        (folder / "module.py").write_text(text)
        (self.program,) = collect([folder / "module.py"])
        self.request = evaluate.request(self.program, Settings(), seconds, "")

    def ask(self, name: str, *args: Value) -> Answer:
        call = request(BODY, [Own("module", name), *args], {}, x64=False, promotion="standard")
        return self.child.ask({**self.request, **call}, 60, str(self.program.root))


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Asking]:
    asking = Asking(tmp_path, TEXT)
    yield asking
    asking.child.close()


def shape(answer: Answer) -> Any:
    assert isinstance(answer.result, Array), answer
    return answer.result.shape


def test_each_call_leaves_the_program_as_it_was(asking: Asking) -> None:
    for name, dims in (("grow", (1, 3, 4)), ("count", (1,)), ("double", (3, 4))):
        other = Array.of("float32", False, (3, 5))
        assert shape(asking.ask(name, X)) == dims
        assert shape(asking.ask(name, other)) == tuple(5 if dim == 4 else dim for dim in dims)


def test_objects_are_made_of_their_fields(asking: Asking) -> None:
    pair = Call(OBJECT, (Own("module", "Pair"),), {"left": X, "right": X})
    layer = Call(OBJECT, (Own("module", "Layer"),), {"w": Array.of("float32", False, (4, 7))})
    assert shape(asking.ask("summed", pair)) == (3, 4)
    assert shape(asking.ask("Layer.__call__", layer, X)) == (3, 7)
    less = Call(OBJECT, (Own("module", "Pair"),), {"left": X})
    assert asking.ask("summed", less).unknown == "a tuple whose items are not known"


def test_what_jax_refuses(asking: Asking) -> None:
    assert asking.ask("wrong", X).kind == "shape"
    assert shape(asking.ask("double", X)) == (3, 4)


def test_questions_of_all_kinds_take_turns(asking: Asking) -> None:
    ones = request("jax.numpy.ones", (Static(2),), {}, x64=False, promotion="standard")
    program = {"program": asking.request["program"], "x64": False, "promotion": "standard"}
    for _ in range(2):
        assert shape(asking.ask("double", X)) == (3, 4)
        assert shape(asking.child.ask(ones)) == (2,)
        asking.child._memory.clear()  # the child is to answer
        assert asking.child.ask(program, 60, str(asking.program.root)).program is not None


def test_what_is_not_known_has_a_reason(asking: Asking) -> None:
    assert asking.ask("missing", X).unknown == "missing is not defined once"
    assert asking.ask("double", X, X).kind == "call"
    assert shape(asking.ask("double", X)) == (3, 4)


def test_a_call_that_takes_too_long_ends(tmp_path: Path) -> None:
    text = "def long(x):\n    for i in range(300):\n        for j in range(300):\n            x = x + i * j\n    return x\n"
    asking = Asking(tmp_path, text, seconds=1e-6)
    assert asking.ask("long", X).unknown == "the function takes too long"
    asking.child.close()


def test_a_module_that_fails_is_walked_once(tmp_path: Path) -> None:
    asking = Asking(tmp_path, "raise ValueError\ndef f(x):\n    return x\n")
    for _ in range(2):
        assert asking.ask("f", X).unknown == "module ends with an exception"
        asking.child._memory.clear()
    asking.child.close()


def test_a_call_has_no_effect(asking: Asking, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    asking.ask("harm", X)
    assert not (tmp_path / "pwned").exists()
