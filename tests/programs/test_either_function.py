"""Calls of one of several functions: which one, only a run knows, and what they have in common is known."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
HEAD = """
import sys, functools, jax, jax.numpy as jnp
from nowhere import unknown
c = len(sys.argv) > 1

def narrow(x):
    return jnp.zeros((3, 2)) + x

def wide(x):
    return jnp.ones((3, 4)) + x

def ints(x):
    return jnp.ones((3, 4), jnp.int32)

act = jnp.tanh if c else jax.nn.relu
"""
#: Programs, and the dtype and shape of `x`.
KNOWN = {
    "of the program": ("x = (narrow if c else wide)(1)", ("float32", (3, None))),
    "a variable": ("if c:\n    f = narrow\nelse:\n    f = wide\nx = f(1)", ("float32", (3, None))),
    "of JAX": ("x = act(jnp.ones(5))", ("float32", (5,))),
    "of other kinds": ("f = jnp.tanh if c else functools.partial(jnp.sum, axis=0)\nx = f(jnp.ones((2, 3)))", ("float32", None)),
    "three": (
        "if c:\n    f = functools.partial(narrow)\nelif unknown:\n    f = jax.jit(wide)\nelse:\n    f = wide\nx = f(1)",
        ("float32", (3, None)),
    ),
    "dtypes that differ": ("x = (wide if c else ints)(1.0)", (None, (3, 4))),
    "a table": ("table = {'a': jnp.tanh, 'b': jax.nn.gelu}\nx = table[sys.argv[1]](jnp.ones((2, 2)))", ("float32", (2, 2))),
    "a table of twelve": (
        "table = {str(i): lambda x, i=i: x + i for i in range(12)}\nx = table[sys.argv[1]](jnp.ones((2, 2)))",
        ("float32", (2, 2)),
    ),
    "a table of thirteen": (
        "table = {str(i): lambda x, i=i: x + i for i in range(13)}\nx = table[sys.argv[1]](jnp.ones((2, 2)))",
        (None, None),
    ),
    "a table of functions that make objects": (
        ("import dataclasses\n@dataclasses.dataclass\nclass Settings:\n    size: int = 3\n    rate: float = 1.0\n"
        "def slow():\n    return Settings(rate=0.5)\ndef fast():\n    return Settings(rate=2.0)\n"
        "settings = {'slow': slow, 'fast': fast}[sys.argv[1]]()\nx = settings.rate * jnp.ones(settings.size)"),
        ("float32", (3,)),
    ),
    "a result": (
        "def of(name):\n    if name == 'a':\n        return jnp.sin\n    return lambda x: x\nx = of(sys.argv[1])(jnp.ones(5))",
        ("float32", (5,)),
    ),
    "an argument": ("def apply(f, x):\n    return f(x)\nx = apply(act, jnp.ones(2))", ("float32", (2,))),
    "vmap": ("x = jax.vmap(act)(jnp.ones((2, 3)))", ("float32", (2, 3))),
    "jit": ("x = jax.jit(narrow if c else wide)(3)", ("float32", (3, None))),
    "grad": ("x = jax.grad(lambda x: act(x).sum())(jnp.ones(4))", ("float32", (4,))),
    "scan": ("x, _ = jax.lax.scan(lambda carry, y: (act(carry), y), jnp.ones(3), jnp.ones(4))", ("float32", (3,))),
    "a tree": ("x = jax.tree.map(act, {'w': jnp.ones(2)})['w']", ("float32", (2,))),
    "checkpoint": ("x = jax.checkpoint(act)(jnp.ones(7))", ("float32", (7,))),
    "a loop": (
        "f, g = narrow, wide\nfor _ in range(len(sys.argv)):\n    f, g = g, f\nx = f(1)",
        ("float32", (3, None)),
    ),
    "identity": ("f = narrow if c else wide\nx = jnp.ones(3 if f is narrow else 4)", ("float32", (None,))),
    "equality": ("f = narrow if c else wide\nx = jnp.ones(3 if f == narrow else 4)", ("float32", (None,))),
    "callable": ("x = jnp.ones(3 if callable(act) else 4)", ("float32", (3,))),
    "what is changed": (
        "a = []\ndef add():\n    a.append(1)\ndef leave():\n    pass\n(add if c else leave)()\nx = jnp.ones(len(a))",
        ("float32", (None,)),
    ),
    "one that fails": ("def fails(x):\n    return jnp.ones((2, 3)) @ jnp.ones((2, 3))\nx = (fails if c else narrow)(1)", (None, None)),
    "one that raises": ("def raises(x):\n    raise ValueError\nx = (raises if c else narrow)(1)", ("float32", (3, 2))),
    "an unknown one": ("x = (unknown if c else narrow)(1)", (None, None)),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_what_all_have_in_common(child: Evaluator, tmp_path: Path, name: str) -> None:
    text, known = KNOWN[name]
    report = evaluate_text(child, tmp_path, f"{HEAD}{text}\n")
    last = [place.known for place in report.places if place.name == "x"][-1:]
    assert [(each.dtype, each.shape) for each in last] in ([known], [] if known == (None, None) else [known])
    assert not report.refusals


def test_functions_that_something_unknown_gets_are_seen(child: Evaluator, tmp_path: Path) -> None:
    text = (
        HEAD
        + "held = []\ndef add():\n    held.append(1)\nf = add if c else act\nunknown(f)\nx = jnp.ones(len(held))\n"
    )
    places = evaluate_text(child, tmp_path, text).places
    assert [place.known.shape for place in places if place.name == "x"] == [(None,)]


#: Programs that pass a function to something unknown, which may call it any number of times: the length of a list it appends to.
PASSED = {
    "a function": "unknown(add)",
    "an object": "class Adder:\n    def add(self):\n        held.append(1)\nunknown(Adder())",
    "in a dict": "unknown({'callback': add})",
}


@pytest.mark.parametrize("name", PASSED)
def test_a_function_that_is_passed_is_called_any_number_of_times(
    child: Evaluator, tmp_path: Path, name: str
) -> None:
    text = HEAD + f"held = []\ndef add():\n    held.append(1)\n{PASSED[name]}\nx = jnp.ones(len(held))\n"
    places = evaluate_text(child, tmp_path, text).places
    assert [place.known.shape for place in places if place.name == "x"] == [(None,)]
