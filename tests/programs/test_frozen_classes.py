"""Frozen dataclasses that set their own attributes by ``object.__setattr__``."""

from __future__ import annotations

from pathlib import Path

from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

PROGRAM = """
from dataclasses import dataclass, field
import jax
import jax.numpy as jnp

@dataclass(frozen=True)
class Conv:
    n: int
    m: int
    act: object = None

    def __post_init__(self):
        if self.act is None:
            object.__setattr__(self, "act", lambda x: x)

    def weights(self, key):
        w = jax.random.normal(key, (self.n, self.m))
        return w

@dataclass(frozen=True)
class Block:
    n: int
    a: Conv = field(init=False)
    b: Conv = field(init=False)

    def __post_init__(self):
        object.__setattr__(self, "a", Conv(self.n, 4))
        object.__setattr__(self, "b", Conv(4, 2 * self.n))

    def weights(self, key):
        first, second = jax.random.split(key)
        return self.a.weights(first), self.b.weights(second)

block = Block(3)
left, right = block.weights(jax.random.key(0))
product = block.b.act(left @ right)
"""


def test_attributes_are_known(child: Evaluator, tmp_path: Path) -> None:
    report = evaluate_text(child, tmp_path, PROGRAM)
    shapes = {place.name: place.shape for place in report.places}
    assert not report.refusals and not report.notes
    assert (shapes["left"], shapes["right"], shapes["product"]) == ((3, 4), (4, 6), (3, 6))
    assert shapes["w"] in (None, (None, None))  # each layer has its own
