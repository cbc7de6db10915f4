"""Functions that are traced for arguments of some shapes, and not called: ``lower`` and ``jax.export``."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
HEAD = """
import jax, jax.numpy as jnp
from jax import export
from functools import partial
from nowhere import unknown
described = jax.ShapeDtypeStruct((3, 4), jnp.float32)
held = []

@jax.jit
def f(a):
    held.append(1)
    y = a * 2
    return y

@partial(jax.jit, static_argnums=1)
def g(a, n):
    y = a.reshape(n, -1)
    return y
"""
#: Programs, with the dtypes and shapes of `x` and `y` where they are known.
KNOWN = {
    "lower": ("f.lower(described)", {"y": ("float32", (3, 4))}),
    "trace": ("f.trace(described)", {"y": ("float32", (3, 4))}),
    "export": ("jax.export.export(f)(described)", {"y": ("float32", (3, 4))}),
    "imported": ("export.export(f, platforms=['cpu'])(described)", {"y": ("float32", (3, 4))}),
    "arrays": ("f.lower(jnp.ones(5, int))", {"y": ("int32", (5,))}),
    "static": ("x = g.lower(described, 6).compile()(jnp.ones((3, 4)))", {"x": ("float32", (6, 2)), "y": ("float32", (6, 2))}),
    "compiled": ("x = f.lower(described).compile()(jnp.ones((3, 4)))", {"x": ("float32", (3, 4)), "y": ("float32", (3, 4))}),
    "traced and compiled": (
        "x = f.trace(described).lower().compile()(jnp.ones((3, 4)))", {"x": ("float32", (3, 4)), "y": ("float32", (3, 4))}
    ),
    "call": ("x = export.export(f)(described).call(jnp.ones((3, 4)))", {"x": ("float32", (3, 4)), "y": ("float32", (3, 4))}),
    "effects": ("f.lower(described)\nx = jnp.zeros(len(held))", {"x": ("float32", (1,)), "y": ("float32", (3, 4))}),
    "an unknown argument": ("x = export.export(f)(unknown()).call(jnp.ones((3, 4)))", {"x": (None, None)}),
    "an unknown shape": ("x = f.lower(jax.ShapeDtypeStruct(unknown(), jnp.float32)).compile()(jnp.ones(3))", {"x": (None, None)}),
    "an unknown function": ("x = export.export(unknown)(described).call(jnp.ones((3, 4)))", {"x": (None, None)}),
    "others": ("x = export.deserialize(unknown()).call(jnp.ones((3, 4)))", {"x": (None, None)}),
    "a method of the program's": (
        "class Text:\n    def lower(self, a):\n        return jnp.ones(2)\nx = Text().lower(described)", {"x": ("float32", (2,))}
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KNOWN)
def test_what_is_known(child: Evaluator, tmp_path: Path, name: str) -> None:
    text, expected = KNOWN[name]
    report = evaluate_text(child, tmp_path, f"{HEAD}{text}\n")
    known = {place.name: (place.known.dtype, place.known.shape) for place in report.places}
    assert {each: known.get(each, (None, None)) for each in expected} == expected
    assert not report.refusals


def test_arguments_that_do_not_fit_are_refused(child: Evaluator, tmp_path: Path) -> None:
    text = f"{HEAD}g.lower(described, 5)\n"
    assert evaluate_text(child, tmp_path, text).refusals


def test_compiling_for_several_shapes_is_no_finding(child: Evaluator, tmp_path: Path) -> None:
    calls = "".join(f"f.lower(jax.ShapeDtypeStruct(({size}, 4), jnp.float32))\n" for size in range(2, 8))
    report = evaluate_text(child, tmp_path, f"{HEAD}{calls}")
    assert not report.refusals
