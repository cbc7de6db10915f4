"""Containers that may be one object: a change of one may be a change of the other."""

from __future__ import annotations

import collections
from pathlib import Path
from typing import Any

import pytest
from evaluating import evaluate_text

from jaxtyping_core.engine.values import aliases
from jaxtyping_core.engine.values.states import spread
from jaxtyping_core.engine.values.unknowns import UNKNOWN
from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
HEAD = """
import sys, collections, dataclasses, jax, jax.numpy as jnp, numpy as np
c = len(sys.argv) > 1

class Counter:
    def __init__(self):
        self.n = 3

    def grow(self):
        self.n += 1

    def seen(self):
        return self.n

@dataclasses.dataclass(frozen=True)
class Frozen:
    n: int

    def seen(self):
        return self.n

@dataclasses.dataclass
class Data:
    n: int
    rate: float = 1.0
    items: list = dataclasses.field(default_factory=list)

    def grow(self):
        self.n += 1

@dataclasses.dataclass(eq=False)
class Compared:
    n: int

@dataclasses.dataclass(unsafe_hash=True)
class Hashed:
    n: int
    rate: float

@dataclasses.dataclass
class Node:
    n: int
    other: object = None

def add(items):
    items.append(1)
"""
#: Programs; `x` and `y` have a size that differs from run to run.
CHANGED = {
    "statement": "a, b = [], []\nif c:\n    z = a\nelse:\n    z = b\nz.append(1)\nx, y = jnp.zeros(len(a)), jnp.zeros(len(b))",
    "expression": "a, b = {}, {}\nz = a if c else b\nz['k'] = 1\nx, y = jnp.zeros(len(a)), jnp.zeros(len(b))",
    "sets": "a, b = {1}, {1}\nz = a if c else b\nz |= {2}\nx, y = jnp.zeros(len(a)), jnp.zeros(len(b))",
    "deques": (
        "a, b = collections.deque(), collections.deque()\nz = a if c else b\nz.append(2)\n"
        "x, y = jnp.zeros(len(a)), jnp.zeros(len(b))"
    ),
    "augmented": "a, b = {'k': 1}, {'k': 1}\nz = a if c else b\nz['k'] += 1\nx, y = jnp.zeros(a['k']), jnp.zeros(b['k'])",
    "the other way": "a, b = [], []\nz = a if c else b\na.append(1)\nx = y = jnp.zeros(len(z))",
    "item": "a = [[], []]\na[1 if c else 0].append(1)\nx, y = jnp.zeros(len(a[0])), jnp.zeros(len(a[1]))",
    "argument": "a, b = [], []\nadd(a if c else b)\nx, y = jnp.zeros(len(a)), jnp.zeros(len(b))",
    "within": "a, b = [[]], [[]]\nz = a if c else b\nz[0].append(1)\nx, y = jnp.zeros(len(a[0])), jnp.zeros(len(b[0]))",
    "chain": (
        "a, b, d = [], [], []\nz = a if c else b\nw = z if len(sys.argv) > 2 else d\nw.append(1)\n"
        "x, y = jnp.zeros(len(a)), jnp.zeros(len(z))"
    ),
    "returned": "def f(a, b):\n    if c:\n        return a\n    return b\na, b = [], []\nf(a, b).append(1)\nx, y = jnp.zeros(len(a)), jnp.zeros(len(b))",
    "loop": (
        "a, b = [], []\nu, v = a, b\nfor _ in range(len(sys.argv)):\n    u.append(1)\n    u, v = v, u\n"
        "x, y = jnp.zeros(len(a)), jnp.zeros(len(b))"
    ),
    "of unknown lengths": "a, b = [1], [1, 2]\nz = a if c else b\nz.append(1)\nx, y = jnp.zeros(len(a)), jnp.zeros(len(b))",
    "of other lengths": "a, b = [], [1, 2]\nz = a if c else b\nz.append(1)\nx, y = jnp.zeros(len(a)), jnp.zeros(len(b))",
    "of other keys": "a, b = {}, {'k': 1}\nz = a if c else b\nz['j'] = 1\nx, y = jnp.zeros(len(a)), jnp.zeros(len(b))",
    "attribute": "a, b = Counter(), Counter()\nz = a if c else b\nz.n = 5\nx, y = jnp.zeros(a.n), jnp.zeros(b.n)",
    "method": "a, b = Counter(), Counter()\nz = a if c else b\nz.grow()\nx, y = jnp.zeros(a.n), jnp.zeros(b.n)",
    "numpy": "a, b = np.array([1, 2]), np.array([1, 2])\nz = a if c else b\nz[0] = 3\nx, y = jnp.zeros(a[0]), jnp.zeros(b[0])",
    "cleared": "a, b = [1], [1]\nz = a if c else b\ndel z[0]\nx, y = jnp.zeros(len(a)), jnp.zeros(len(b))",
    "field": "a, b = Data(3), Data(3)\nz = a if c else b\nz.n = 4\nx, y = jnp.zeros(a.n), jnp.zeros(b.n)",
    "method of a dataclass": "a, b = Data(3), Data(3)\nz = a if c else b\nz.grow()\nx, y = jnp.zeros(a.n), jnp.zeros(b.n)",
    "the other way, of a field": "a, b = Data(3), Data(3)\nz = a if c else b\na.n = 4\nx = y = jnp.zeros(z.n)",
    "within a field": (
        "a, b = Data(3), Data(3)\nz = a if c else b\nz.items.append(1)\nx, y = jnp.zeros(len(a.items)), jnp.zeros(len(b.items))"
    ),
    "fields that differ": "z = Data(3) if c else Data(4)\nx = y = jnp.zeros(z.n)",
    "fields that are there or not": (
        "a, b = Data(3), Data(3)\nb.more = 2\nz = a if c else b\nx = y = jnp.zeros(z.n)"
    ),
    "compared by identity": "a, b = Compared(3), Compared(3)\nz = a if c else b\nx = y = jnp.zeros(2 if z == a else 3)",
    "in a dict": (
        "a, b = Hashed(3, 1.0), Hashed(3, 2.0)\nz = a if c else b\nx = y = jnp.zeros({a: 4, b: 5}.get(z, 6))"
    ),
    "fields are compared": "a, b = Data(3, 1.0), Data(3, 2.0)\nz = a if c else b\nx = y = jnp.zeros(2 if z == a else 3)",
    "circles": (
        "a, b = Node(3), Node(3)\na.other, b.other = b, a\nz = a if c else b\nz.other.other.n = 5\nx, y = jnp.zeros(a.n), jnp.zeros(b.n)"
    ),
    "caught": (
        "a, b = [], []\nz = a if c else b\ndef f():\n    return z.append(1)\nf()\n"
        "x, y = jnp.zeros(len(a)), jnp.zeros(len(b))"
    ),
}
#: Programs that change none of what is asked for: `x` and `y` have these sizes.
KEPT = {
    "read": ("a, b = [1], [2]\nz = a if c else b\nn = z.index(1)\nx, y = jnp.zeros(len(a)), jnp.zeros(len(z))", 1),
    "another": ("a, b = [1], [1]\nz = a if c else b\nz = [2]\nz.append(3)\nx, y = jnp.zeros(len(a)), jnp.zeros(len(b))", 1),
    "the same": ("a = [1]\nz = a if c else a\nz.append(3)\nx, y = jnp.zeros(len(a)), jnp.zeros(len(z))", 2),
    "copies": ("a, b = [1], [1]\nz = list(a if c else b)\nz.append(3)\nx, y = jnp.zeros(len(a)), jnp.zeros(len(z) - 1)", 1),
    "frozen": ("a, b = Frozen(2), Frozen(3)\nz = a if c else b\nz.seen()\nx, y = jnp.zeros(a.n), jnp.zeros(b.n - 1)", 2),
    "fields": ("z = Data(2, 1.0) if c else Data(2, 0.5)\nz.rate = 0.1\nx = y = jnp.zeros(z.n)", 2),
    "changed fields": ("a, b = Data(2), Data(3)\nz = a if c else b\nz.n = 4\nx = y = jnp.zeros(z.n)", 4),
    "methods": ("z = Data(2, 1.0) if c else Data(2, 0.5)\nz.grow()\nx = y = jnp.zeros(z.n)", 3),
    "objects of a loop": (
        "z = Data(2)\nfor i in range(len(sys.argv)):\n    z = Data(2, i * 0.5)\nx = y = jnp.zeros(z.n)", 2
    ),
    "objects within objects": (
        "z = Node(1, Data(2)) if c else Node(1, Data(2))\nx = y = jnp.zeros(z.other.n)", 2
    ),
    "unlike": ("a, b = {}, {'k': 1}\nz = a if c else b\nz.get('k')\nx, y = jnp.zeros(len(a) + 1), jnp.zeros(len(b))", 1),
}  # fmt: skip


def sizes(child: Evaluator, folder: Path, text: str) -> dict[str, int | None]:
    places = evaluate_text(child, folder, HEAD + text + "\n").places
    known = {place.name: place.known.shape for place in places if place.name in ("x", "y")}
    return {name: shape[0] if shape and type(shape[0]) is int else None for name, shape in known.items()}


@pytest.mark.parametrize("name", CHANGED)
def test_changed(child: Evaluator, tmp_path: Path, name: str) -> None:
    assert set(sizes(child, tmp_path, CHANGED[name]).values()) == {None}


@pytest.mark.parametrize("name", KEPT)
def test_kept(child: Evaluator, tmp_path: Path, name: str) -> None:
    text, size = KEPT[name]
    assert sizes(child, tmp_path, text) == {"x": size, "y": size}


def test_identity(child: Evaluator, tmp_path: Path) -> None:
    text = "a, b = [1], [1]\nz = a if c else b\nx = jnp.zeros(2 if z is a else 3)\ny = jnp.zeros(2 if a is b else 3)"
    assert sizes(child, tmp_path, text) == {"x": None, "y": 3}


def test_many(child: Evaluator, tmp_path: Path) -> None:
    """What nothing else refers to is dropped, and what the program has is not."""
    text = (
        "a, b = [1], [1]\nz = a if c else b\nfor i in range(4_000):\n    w = [i] if c else [1]\n"
        "z.append(1)\nx, y = jnp.zeros(len(a)), jnp.zeros(len(b))"
    )
    assert set(sizes(child, tmp_path, text).values()) == {None}


def test_changes_tie_no_more_containers() -> None:
    """Else each change would have more to change than the one before it."""
    aliases.forget_all()
    first, second, third = [1], [2], [3]
    aliases.tie(third, first, second)
    tied = len(aliases._Aliases.others)
    for i in range(5):
        first[0] = i
        spread([(first, first)])
    assert len(aliases._Aliases.others) == tied
    assert type(second[0]) is not int  # it may have changed, too
    aliases.forget_all()


def test_what_is_dropped() -> None:
    aliases.forget_all()
    kept: list[list[Any]] = [[], [], []]
    aliases.tie(*kept)
    lost: Any = collections.deque()
    aliases.tie(UNKNOWN, lost, {})
    for i in range(20_000):
        aliases.tie([i], [i], [i])
        aliases.tie(UNKNOWN, [i], {})
    assert len(aliases._Aliases.others) + len(aliases._Aliases.lost) < 10_000
    assert aliases.may_be(kept[0], kept[2])
    assert any(each is lost for each in aliases.lost("appendleft"))
    aliases.forget_all()
