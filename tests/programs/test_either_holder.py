"""What is changed by a method of one of two objects, of which only a run knows which; and static arguments by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
HEAD = "import functools, sys, jax, jax.numpy as jnp\nfrom nowhere import unknown\n"
#: Programs, and the sizes of `x` and `y`: None for one that differs from run to run.
EITHER = {
    "lists": (
        "a, b = [], []\n(a if len(sys.argv) > 1 else b).append(1.0)\nx, y = jnp.array(a), jnp.array(b)\n",
        None,
    ),
    "in a loop": (
        (
            "a, b = [], []\nfor i in range(200):\n    (a if i % 2 == 0 else b).append(1.0)\n"
            "x = jnp.array(a)\ny = jnp.array(b)\n"
        ),
        None,
    ),
}


@pytest.mark.parametrize("name", ["lists", "in a loop"])
def test_either(child: Evaluator, tmp_path: Path, name: str) -> None:
    text, size = EITHER[name]
    known = evaluate_text(child, tmp_path, HEAD + text)
    shapes = {place.name: place.known.shape for place in known.places if place.name in ("x", "y")}
    assert {shape and shape[0] for shape in shapes.values()} == {size}


def test_one(child: Evaluator, tmp_path: Path) -> None:
    text = "a, b = [], []\nn = 1\n(a if n else b).append(1.0)\nx = jnp.array(a)\ny = jnp.array(b)\n"
    known = evaluate_text(child, tmp_path, HEAD + text)
    assert {place.name: place.known.shape for place in known.places} == {"x": (1,), "y": (0,)}


STATIC = """
@functools.partial(jax.jit, static_argnums=1)
def inner(x, n):
    return x * jnp.ones(n).sum()

@functools.partial(jax.jit, static_argnums={numbers})
def outer(x, params, n: int = 4):
    k = jnp.ones(n)
    return inner(x, n)

y = outer({call})
"""


@pytest.mark.parametrize("numbers", ["2", "(2,)", "-1"])
@pytest.mark.parametrize(
    "call", ["jnp.ones(3), unknown, n=5", "jnp.ones(3), unknown, 5", "jnp.ones(3), 1.0, n=5"]
)
def test_static_arguments_by_name(child: Evaluator, tmp_path: Path, numbers: str, call: str) -> None:
    known = evaluate_text(child, tmp_path, HEAD + STATIC.format(numbers=numbers, call=call))
    assert not known.refusals
    assert {place.name: place.known.shape for place in known.places if place.name in "ky"} == {
        "k": (5,),
        "y": (3,),
    }
