"""Functions that call themselves with what nothing is known of: the walk ends, after few steps."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
#: Each level has several calls, in loops and branches; with a few levels there would be thousands.
TREE = """
import jax.numpy as jnp
import tree_library

def flat(tree, path):
    for key in tree.keys():
        flat(key, path + (key,))
        for part in tree[key]:
            flat(part, path)
            if part.tag:
                flat(part.tag, path)
                flat([part], path)
    if tree.inner:
        return flat(tree.inner, ())
    return jnp.ones(3)

x = flat(tree_library.load(), tree_library.path())
y = jnp.zeros(4)
"""
#: What is known decides that it ends.
COUNTED = """
import jax.numpy as jnp
import tree_library

def nested(tree, depth):
    if depth == 0:
        return jnp.ones((2, 3))
    return nested(tree, depth - 1)[None]

x = nested(tree_library.load(), 6)
"""


def known(child: Evaluator, folder: Path, text: str) -> dict[str, str]:
    """The arrays that are assigned at the top level, where the whole program is walked."""
    report = evaluate_text(child, folder, text)
    assert not report.lost
    return {place.name: place.value for place in report.places if place.name in ("x", "y")}


def test_a_tree_of_which_nothing_is_known(child: Evaluator, tmp_path: Path) -> None:
    assert known(child, tmp_path, TREE)["y"] == "float32[4]"


def test_a_number_of_levels_that_is_known(child: Evaluator, tmp_path: Path) -> None:
    assert known(child, tmp_path, COUNTED) == {"x": "float32[1, 1, 1, 1, 1, 1, 2, 3]"}
