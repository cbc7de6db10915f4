"""How many rounds of a loop are walked: what a round makes and fills is not what the round before has changed."""

from __future__ import annotations

from typing import Any

import pytest

from jaxtyping_core.engine import session
from jaxtyping_core.engine.language import loops

pytestmark = pytest.mark.one_python
HEAD = """import dataclasses, jax.numpy as jnp
from nowhere import items, chosen

class Layer:
    def __init__(self, n):
        self.n = n
        if chosen:
            self.b = jnp.zeros(n)
        self.w = jnp.ones(n)

    def double(self):
        self.w = self.w * 2

@dataclasses.dataclass
class Settings:
    n: int

    def __post_init__(self):
        self.w = jnp.ones(self.n)

def told(n):
    return {"n": n}
"""
ROUNDS = {
    "an object": "layer = Layer(3)\n    layer.double()",
    "an object of one way": "if chosen:\n        layer = Layer(3)\n        layer.double()",
    "a dataclass": "if chosen:\n        settings = Settings(3)\n        settings.w = settings.w * 2",
    "a dict of two ways": "if chosen:\n        row = told(1)\n    else:\n        row = told(2)\n    row['w'] = jnp.ones(3)",
}
#: The first round, the second, and one more that finds nothing else.
MOST = 3


@pytest.mark.parametrize("name", ROUNDS)
def test_rounds(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    rounds, walk = [], loops.round_of

    def counted(*args: Any) -> bool:
        rounds.append(args)
        return walk(*args)

    monkeypatch.setattr(loops, "round_of", counted)
    module = {"path": "/program.py", "text": f"{HEAD}for _ in items:\n    {ROUNDS[name]}\n"}
    answer = session.evaluate(
        {"entries": ["program"], "modules": {"program": module}, "trust": ["jax", "numpy"]}
    )
    assert answer["complete"]
    assert len(rounds) <= MOST
