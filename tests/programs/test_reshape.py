"""`reshape` to a shape of which a program does not say all: its rank, and the sizes that are known."""

from __future__ import annotations

import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator
from jaxtyping_core.programs.places import Place

HEAD = """
import sys
import jax
import jax.numpy as jnp
from somewhere import a, b, data

k = jnp.ones((6, 4))
u = jnp.array(data, dtype=jnp.uint8)
w = jnp.arange(8) * jnp.asarray(1.0)
num = int(sys.argv[1])
"""


CASES = {
    "k.reshape(a, b)": "float32[?, ?]",
    "k.reshape((a, b, -1))": "float32[?, ?, ?]",
    "k.reshape((2, a))": "float32[2, 12]",
    "k.reshape(3, a, 4)": "float32[3, 2, 4]",
    "k.reshape([a, 8])": "float32[3, 8]",
    "k.reshape(7, a)": "float32[7, ?]",  # which fails whatever `a` is, so that any size is right
    "k.reshape(a)": "float32[...]",
    "k.reshape(num, -1)": "float32[?, ?]",
    "jnp.reshape(k, (a, 2))": "float32[12, 2]",
    "jnp.reshape(k, shape=(a, 2, b))": "float32[?, 2, ?]",
    "jnp.reshape(k, (a, 2), order='F')": "float32[12, 2]",
    "jnp.zeros((0, 3)).reshape(0, a)": "float32[0, ?]",
    "u.reshape(-1, 28, 28)": "uint8[?, 28, 28]",
    "u.reshape((a, 1, b, b))": "uint8[?, 1, ?, ?]",
    "u.reshape(num, 5)": "uint8[?, 5]",
    "jax.jit(lambda x: x.reshape(a, 3))(k)": "float32[8, 3]",
}


@pytest.fixture(scope="module")
def shown(child: Evaluator, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What is known of each case, which one program has together."""
    cases = "".join(f"case_{number} = {text}\n" for number, text in enumerate(CASES))
    report = evaluate_text(child, tmp_path_factory.mktemp("reshape"), HEAD + cases)
    assert not report.refusals
    places = {place.name: place for place in report.places}
    return [_told(places[f"case_{number}"]) for number in range(len(CASES))]


def _told(place: Place) -> str:
    dims = (
        "..." if place.shape is None else ", ".join("?" if dim is None else str(dim) for dim in place.shape)
    )
    return f"{place.dtype}[{dims}]"


@pytest.mark.parametrize("number", range(len(CASES)), ids=list(CASES))
def test_what_is_known(shown: list[str], number: int) -> None:
    assert shown[number] == [*CASES.values()][number]
