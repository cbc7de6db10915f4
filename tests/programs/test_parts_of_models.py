"""The parts of a model, which are of the program: a call of the model that is not known may call them with anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
PROGRAM = """\
import flax.linen as nn
import jax
import jax.numpy as jnp


class Encoder(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Dense(32)(x)
        return nn.relu(x)


model = nn.Sequential([Encoder()])
variables = model.init(jax.random.key(0), jnp.ones((1, 8)))
"""
#: A call of the model with what a file says.
CALLED = 'value = model.apply(variables, open("images").read())\n'


def known(child: Evaluator, folder: Path, text: str) -> dict[str, str]:
    return {place.name: place.value for place in evaluate_text(child, folder, text).places}


def test_what_init_gives_to_a_part_is_not_all_that_it_gets(child: Evaluator, tmp_path: Path) -> None:
    assert known(child, tmp_path, PROGRAM)["x"] == "float32[1, 32]"
    assert "float32[1, 32]" not in known(child, tmp_path, PROGRAM + CALLED).values()
