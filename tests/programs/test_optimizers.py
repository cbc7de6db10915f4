"""Optimizers of which a program chooses one: its parameters keep their shapes and dtypes, whichever it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

TRAINING = """
import jax
import jax.numpy as jnp
import optax

def train(choice, steps=20):
    params = {"w": jnp.ones((4, 3)), "b": jnp.zeros(3, jnp.bfloat16)}
    if choice:
        optimizer = optax.chain(optax.clip_by_global_norm(1.0), optax.adam(0.1))
    else:
        optimizer = optax.sgd(0.1)
    opt_state = optimizer.init(params)
    for step in range(steps):
        grads = jax.grad(lambda params: (jnp.ones(4) @ params["w"] + params["b"]).sum())(params)
        updates, opt_state = optimizer.update(grads, opt_state)
        params = optax.apply_updates(params, updates)
    return params
"""


def shown(child: Evaluator, folder: Path, text: str) -> dict[str, str]:
    report = evaluate_text(child, folder, TRAINING + text)
    assert not report.refusals
    return {place.name: f"{place.dtype}{list(place.shape or '?')}" for place in report.places}


@pytest.mark.parametrize("choice", ["flag", "True", "False"])
def test_parameters_after_training(child: Evaluator, tmp_path: Path, choice: str) -> None:
    text = f"from somewhere import flag\nout = train({choice})\nw, b = out['w'], out['b']\n"
    places = shown(child, tmp_path, text)
    assert (places["w"], places["b"]) == ("float32[4, 3]", "bfloat16[3]")


def test_updates_of_anything(child: Evaluator, tmp_path: Path) -> None:
    text = """
from somewhere import anything
params = {"w": jnp.ones((4, 3), jnp.float16), "n": jnp.zeros(2, int)}
params = optax.apply_updates(params, anything)
w, n = params["w"], params["n"]
other = optax.apply_updates(anything, params)
"""
    places = shown(child, tmp_path, text)
    assert (places["w"], places["n"]) == ("float16[4, 3]", "int32[2]")
    assert "other" not in places
