"""Sizes that must fit each other: what one accepted size gives is not what all give."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

HEAD = """
import sys

import jax.numpy as jnp

n, m = len(sys.argv), len(sys.argv[0])
corner, side = jnp.ones((2, 2)), jnp.ones(n * m).reshape(n, m)
inner = jnp.ones(m * m).reshape(m, m)
"""
CASES = {
    "jnp.block([[corner, side], [side.T, inner]])": (None, None),
    "jnp.concatenate([corner, side], axis=1)": (2, None),
    "jnp.stack([corner, inner])": (2, 2, 2),
}


@pytest.mark.parametrize("call", CASES)
def test_result_of_several_unknown_sizes(child: Evaluator, tmp_path: Path, call: str) -> None:
    report = evaluate_text(child, tmp_path, f"{HEAD}result = {call}\n")
    known = {place.name: place.shape for place in report.places}
    assert known["result"] == CASES[call]
