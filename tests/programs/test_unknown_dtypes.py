"""A dtype that is an option of the program leaves the shape of an array known."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
HEAD = """
import sys
import jax
import jax.numpy as jnp

key, n, name = jax.random.key(0), len(sys.argv), sys.argv[1]
chosen = {"half": jnp.bfloat16, "full": jnp.float32}[name]
y = jnp.ones((n, 3))
"""
#: Expressions, and the dtype and shape of what they give.
KNOWN = {
    "jnp.zeros((n, 2), dtype=chosen)": (None, (None, 2)),
    "jnp.zeros((2, 3), chosen)": (None, (2, 3)),
    "jnp.full((2, n), 1.0, dtype=name)": (None, (2, None)),
    "jax.random.normal(key, (2, n), dtype=chosen)": (None, (2, None)),
    "jax.random.normal(key, (2, 3), chosen)": (None, (2, 3)),
    "y.astype(chosen)": (None, (None, 3)),
    "y.astype(name)": (None, (None, 3)),
    "jnp.sum(y, axis=0, dtype=name)": (None, (3,)),
    "y.astype(name).astype(jnp.float32)": ("float32", (None, 3)),
    "jnp.zeros((2, 3), dtype=jnp.float32 if n > 3 else jnp.bfloat16)": (None, (2, 3)),
}
#: Calls of which a dtype tells more, or that are passed none.
UNKNOWN = ("jnp.ones((2, 4)).view(name)", "jax.lax.bitcast_convert_type(y, chosen)", "jnp.zeros(name)")


@pytest.mark.parametrize("text", KNOWN)
def test_shapes_do_not_follow_from_dtypes(child: Evaluator, tmp_path: Path, text: str) -> None:
    answer = evaluate_text(child, tmp_path, f"{HEAD}x = {text}\n")
    (known,) = (place.known for place in answer.places if place.name == "x")
    assert (known.dtype, known.shape) == KNOWN[text]
    assert not answer.refusals


@pytest.mark.parametrize("text", UNKNOWN)
def test_others_are_unknown(child: Evaluator, tmp_path: Path, text: str) -> None:
    answer = evaluate_text(child, tmp_path, f"{HEAD}x = {text}\n")
    known = [place.known for place in answer.places if place.name == "x"]
    assert not any(each.shape and each.shape[-1] for each in known if each is not None)
