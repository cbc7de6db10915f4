"""What is said of sizes that are the machine's, of values that may be many things, and of programs that share a module."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.evaluate import evaluate_programs
from jaxtyping_core.programs.sources import collect
from jaxtyping_core.settings import Settings

pytestmark = pytest.mark.one_python
HEAD = """
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple
import equinox as eqx, jax, jax.numpy as jnp, numpy as np
from jax.sharding import Mesh, PartitionSpec as P
from nowhere import unknown
"""
#: Numbers that only a run knows.
OPTIONS = "import sys\nb, c, n = (int(each) for each in sys.argv[1:4])\nv = jnp.zeros(n)\n"
#: Lines with sizes that are options, and what is said of them: nothing, if some sizes are right.
CONTRACTING = "@ requires contracting dimensions to have the same shape, got"
REFUSED = {
    "jnp.ones((3, 3 * n)) + jnp.ones(4 * n)": (
        "Incompatible shapes for broadcasting: shapes=[(3, 3*a), (4*a,)], whatever a is"
    ),
    "jnp.ones((n + 2, c)) * jnp.ones((n + 3, c))": (
        "* got incompatible shapes for broadcasting: (a + 2, b), (a + 3, b), whatever a and b are"
    ),
    "jnp.dot(jnp.ones((3, n)), jnp.ones((2 * n, 4)))": f"{CONTRACTING} (a,) and (2*a,), whatever a is".replace(
        "@", "dot", 1
    ),
    "v @ jnp.ones(n + 1)": f"{CONTRACTING} (a,) and (a + 1,), whatever a is",
    "jnp.take_along_axis(jnp.ones((b, n)), jnp.ones(b, int), axis=1)": (
        "indices and arr must have the same number of dimensions; 1 vs. 2"
    ),
    "x, y = jnp.ones((3, n))": (
        "float32[3, ?] has length 3, but is unpacked into 2 targets; the numbers must be "
        "equal, or one target must be starred"
    ),
    "x, y, *z = jnp.split(jnp.ones(3), 1)": (
        "[float32[3]] has length 1, but is unpacked into 3 targets; the numbers must be "
        "equal, or one target must be starred"
    ),
    "for x, y in jnp.ones((4, 3)): pass": (
        "float32[3] has length 3, but is unpacked into 2 targets; the numbers must be equal, "
        "or one target must be starred"
    ),
    "jax.lax.dynamic_slice_in_dim(jnp.ones((3, n, 4)), 0, 2, axis=3)": (
        "axis 3 is out of bounds for array of dimension 3"
    ),
    "[x for x, y in jnp.ones((4, 3))]": (
        "float32[3] has length 3, but is unpacked into 2 targets; the numbers must be equal, "
        "or one target must be starred"
    ),
    "jax.grad(lambda w: jnp.sum(w * 2))(jnp.arange(3))": (
        "grad requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got int32. "
        "If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True."
    ),
    "jax.jit(lambda w: jax.value_and_grad(lambda w: jnp.max(w))(w))(jnp.arange(3))": (
        "grad requires real- or complex-valued inputs (input dtype that is a sub-dtype of np.inexact), but got int32. "
        "If you want to use Boolean- or integer-valued inputs, use vjp or set allow_int to True."
    ),
    "jax.grad(lambda w: w * 2)(jnp.ones(3))": (
        "Gradient only defined for scalar-output functions. Output had shape: (3,). To get the gradient, reduce the "
        "output to a scalar with output.sum(), or use jax.jacobian to differentiate a function with a non-scalar output."
    ),
    "jax.vmap(lambda w, m: w * m)(jnp.ones(3), jnp.ones(4))": (
        "vmap got inconsistent sizes for array axes to be mapped: * one axis had size 3: axis 0 of argument w of type "
        "float32[3]; * one axis had size 4: axis 0 of argument m of type float32[4]"
    ),
    "jax.vmap(lambda w: w * 2)(jnp.float32(1))": (
        "vmap was requested to map its argument along axis 0, which implies that its rank should be at least 1, but is "
        "only 0 (its shape is ())"
    ),
    "import einops; einops.rearrange(jnp.ones((2, 3)), 'a b -> a')": (
        'Error while processing rearrange-reduction pattern "a b -> a". Input tensor shape: (2, 3). Additional info: '
        "{}. Identifiers only on one side of expression (should be on both): {'b'}"
    ),
    "import einops; einops.rearrange(jnp.ones((2, n)), 'a (b c) -> a b c', b=3)": None,
    "try: jax.vmap(jnp.dot)(jnp.ones((3, 2)), jnp.ones((4, 2)))\nexcept ValueError: pass": None,
    "jnp.zeros((7 / 2, 3))": (
        "Shapes must be 1D sequences of concrete values of integer type, got (3.5, 3)."
    ),
    "x, *y = jnp.ones((3, n))": None,
    "x, y = jnp.ones((n, 3))": None,
    "x, y = jnp.split(jnp.ones(4), 2)": None,
    "try: x, y = jnp.ones(3)\nexcept ValueError: pass": None,
    "try: jax.grad(jnp.sum)(jnp.arange(3))\nexcept TypeError: pass": None,
    "jax.grad(lambda w: jnp.sum(w * 2.0), allow_int=True)(jnp.arange(3))": None,
    "jax.grad(lambda w, m: jnp.sum(w * m))(jnp.ones(3), jnp.arange(3))": None,
    "for i in range(n): jnp.ones((2, 3)) @ jnp.ones((4, 2))": f"{CONTRACTING} (3,) and (4,).",
    "jnp.ones((8, 5)) @ jnp.ones((c, 4 * n)) + jnp.ones(3 * n)": (
        "Incompatible shapes for broadcasting: shapes=[(8, 4*a), (3*a,)], whatever a is"
    ),
    "jnp.ones((8, 5)) @ jnp.ones((c, 4 * n)) + jnp.ones(4 * b)": None,
    "v + jnp.ones(c)": None,
    "v + jnp.ones(n + 1)": None,
    "v + jnp.ones(n * c)": None,
    "v @ jnp.ones(n + c)[c:]": None,
    "jnp.ones((3, n)) @ jnp.ones((c, 3))": None,
    "v.reshape(7, 11)": None,
    "if n > 3: jnp.ones(2) + jnp.ones(3)": None,
    "while n > 3: n, _ = n - 1, jnp.ones(2) + jnp.ones(3)": None,
}


def test_of_many_unknown_arguments_not_all_choices_are_made(child: Evaluator, tmp_path: Path) -> None:
    """Of six there are 34 million, for which no memory would do."""
    lines = (
        "a, b, c, d, e, f = unknown()\nx = jnp.float32(jnp.where(a, b, c) + jax.lax.cond(a, b, c, d, e, f))\n"
    )
    report = evaluate_text(child, tmp_path, HEAD + lines)
    assert [place.dtype for place in report.places if place.name == "x"] == ["float32"]
    assert not report.incomplete


@pytest.mark.parametrize("function", ["arctan2", "logaddexp", "hypot", "true_divide", "copysign"])
def test_nothing_is_said_where_more_choices_are_left(child: Evaluator, tmp_path: Path, function: str) -> None:
    """Of two unknown arguments few dtypes are tried, all of which give float32."""
    report = evaluate_text(child, tmp_path, f"{HEAD}a, b = unknown()\nx = jnp.{function}(a, b)\n")
    assert not [place for place in report.places if place.dtype is not None]


@pytest.mark.parametrize("line", REFUSED)
def test_what_no_sizes_make_right(child: Evaluator, tmp_path: Path, line: str) -> None:
    text = f"{HEAD}{OPTIONS}{line}\n"
    refusals = evaluate_text(child, tmp_path, text).refusals
    assert [(refusal.line, refusal.message) for refusal in refusals] == (
        [(len(text.splitlines()), REFUSED[line])] if REFUSED[line] else []
    )


def test_two_programs_share_a_module(tmp_path: Path) -> None:
    """What one of them gives to a function of it is known, what the other does is not: nothing is said that holds of one alone."""
    (tmp_path / "shared.py").write_text("def double(x):\n    y = x * 2\n    return y\n")
    scripts = {"one": "jnp.ones(3)", "other": "__import__('data').load()"}
    for name, value in scripts.items():
        text = f"import jax.numpy as jnp\nfrom shared import double\nz = double({value})\n"
        (tmp_path / f"{name}.py").write_text(text)
    places = [
        evaluate_programs(
            collect([tmp_path / f"{name}.py" for name in names]), Settings(), cached=False
        ).places
        for names in (["one"], ["one", "other"])
    ]
    assert [[(Path(place.file).stem, place.line) for place in each] for each in places] == [
        [("one", 3), ("shared", 2), ("shared", 3)],
        [("one", 3)],
    ]
