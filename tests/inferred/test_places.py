"""What mypy infers: at the places of `ast`, and never more than holds."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from inferred.places import infer
from jaxtyping_core.programs.places import RETURN, Place

pytestmark = pytest.mark.one_python  # long, and no matter of Python or JAX
PROGRAM = """\
from typing import Any, Literal, TypeVar

import jax
import jax.numpy as jnp
from jaxtyping_core.typing import Float32

B = TypeVar("B", bound=int)
K = TypeVar("K", jax.Array, int)


def declared(x: Float32[B, Literal[3]]) -> Float32[B, Literal[3]]:
    twice = x * 2
    return (
        twice
    )


def unannotated(a):
    é = "é"; b = jnp.ones((2, 3)); c, d = b, b + 1
    for row in b:
        pass
    (e, (f, g)) = b, (c, d)
    *h, i = b, c
    open_ = a @ b
    try:
        m = jnp.ones(3)
    finally:
        n = jnp.ones(3) if a else 3
    either = jnp.ones((2, 3)) if a else jnp.ones((4, 3))
    return (b + 1) * 2


def checked_twice(x: K) -> K:
    y = jnp.zeros(3)
    return x


def dead():
    return 3
    never = jnp.ones(3)


def rebound():
    captured = jnp.ones(3)

    def inner():
        at_call = captured
        return at_call

    captured = jnp.ones(4)
    return inner()


def rebound_inside():
    changed = jnp.ones(3)

    def inner():
        nonlocal changed
        changed = jnp.ones(4)

    inner()
    after = changed


def bound_once():
    kept = jnp.ones(3)

    def inner():
        again = kept
        return 1

    return inner


class Model:
    def __init__(self):
        self.grows = jnp.ones(3)
        self.stays = jnp.ones(3)

    def step(self):
        grows = self.grows
        stays = self.stays
        self.grows = jnp.ones(4)


grown = jnp.zeros(3)
for _ in range(5):
    grown = jnp.concatenate([grown, jnp.zeros(1)])
    part = grown[:2]
hidden: Any = jnp.ones(3)
weak = 2.0 * jnp.array(2)
keys = jax.random.split(jax.random.key(0))
w1, w2 = jnp.ones(3), jnp.arange(4)
text = "no array"
"""
TWICE = ("float32", ("B", 3))
KNOWN = {
    "twice": TWICE,
    "b": ("float32", (2, 3)),
    "c": ("float32", (2, 3)),
    "d": ("float32", (2, 3)),
    "e": ("float32", (2, 3)),
    "f": ("float32", (2, 3)),
    "g": ("float32", (2, 3)),
    "row": ("float32", (3,)),
    "m": ("float32", (3,)),
    "either": ("float32", (None, 3)),
    "hidden": ("float32", (3,)),
    "weak": ("float32", ()),
    "kept": ("float32", (3,)),
    "again": ("float32", (3,)),
    "stays": ("float32", (3,)),
    "keys": ("key<fry>", (2,)),
    "w1": ("float32", (3,)),
    "w2": ("int32", (4,)),
}
#: What mypy does not know for certain, or what is no array.
OPEN = {"open_", "n", "never", "text", "é", "h", "i", "at_call", "after", "grows"}


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Place]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    Path("program.py").write_text(PROGRAM)
    return infer([Path("program.py")])


def written(text: str) -> set[tuple[int, int, str]]:
    """The places in a text."""
    nodes = list(ast.walk(ast.parse(text)))
    names = {(node.lineno, node.col_offset, node.id) for node in nodes if isinstance(node, ast.Name)}
    values = [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]
    return names | {(value.lineno, value.col_offset, RETURN) for value in values}


def test_places(places: list[Place]) -> None:
    assert {(place.line, place.column, place.name) for place in places} <= written(PROGRAM)
    known = {place.name: (place.dtype, place.shape) for place in places}
    assert {name: known.get(name) for name in KNOWN} == KNOWN
    assert not OPEN & known.keys()
    returned = [(place.dtype, place.shape) for place in places if place.name == RETURN]
    assert returned == [TWICE, ("float32", (2, 3))]
    grown = [place for place in places if place.name == "grown"]
    assert grown[0].shape == (3,)
    assert all(place.shape in (None, (None,)) for place in grown[1:])


def test_a_weak_dtype_is_known_and_a_strong_one_is_not(places: list[Place]) -> None:
    weak = {place.name: place.weak for place in places}
    assert (weak["weak"], weak["b"]) == (True, None)
