"""Numbers that only a run knows, as arguments of NumPy's functions: what is said of results holds for all of them."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from claims_of_calls import claims_of, holds

pytestmark = pytest.mark.one_python
CALLS = Path(__file__).with_name("data") / "numpy_calls.txt"
SETTING = """
import argparse
import jax.numpy as jnp
import numpy as np
parser = argparse.ArgumentParser()
parser.add_argument("--k", type=int, default=3)
parser.add_argument("--r", type=float, default=2.5)
args = parser.parse_args([])
k, r = args.k, args.r
starts = np.random.randint(1, 5, size=7)
idx = np.random.randint(0, 5, size=3)
flags = np.random.rand(6) > 0.5
x, w = np.random.rand(6, 8), np.random.rand(12, 12)
v = np.random.rand(60).astype(np.float32)
t = np.arange(10)
n, u, f = int(starts[1]), np.random.randint(1, 5), np.random.rand() * 5 + 1
"""
#: Ints and floats of Python's, of the command line's and of NumPy's.
NUMBERS = {
    "I": (
        "starts[0]",
        "n",
        "u",
        "k",
        "starts.astype(np.int32)[2]",
        "starts.max()",
        "starts[3].item()",
        "idx[0] + 1",
    ),
    "J": ("n", "starts[1]", "k"),
    "F": ("f", "r", "x[0, 0] + 1", "float(f)"),
}
RUNS = 8


@pytest.mark.filterwarnings("ignore")
def test_calls_with_unknown_numbers(tmp_path: Path) -> None:
    results = _results(_expressions())
    claims = claims_of(tmp_path / "program.py", SETTING, {each: f"jnp.asarray({each})" for each in results})
    wrong = {
        expression: (claims[expression], result)
        for expression, seen in results.items()
        for result in seen
        if not holds(claims[expression], *result)
    }
    assert not wrong
    # Most calls say at least what dtype and how many axes there are.
    known = [dtype is not None and shape is not None for dtype, shape in claims.values()]
    assert sum(known) > 0.85 * len(known)


def _expressions() -> list[str]:
    """Each call with each number."""
    expressions = []
    for call in CALLS.read_text().splitlines()[1:]:
        names = [name for name in NUMBERS if re.search(rf"\b{name}\b", call)]
        for chosen in itertools.product(*(NUMBERS[name] for name in names)):
            expressions.append(_with(call, dict(zip(names, chosen, strict=True))))
    return expressions


def _with(call: str, numbers: dict[str, str]) -> str:
    for name, number in numbers.items():
        call = re.sub(rf"\b{name}\b", number if number.isidentifier() else f"({number})", call)
    return call


def _results(expressions: list[str]) -> dict[str, set[tuple[str, tuple[int, ...]]]]:
    """The dtypes and shapes that runs have; what some run refuses is left out."""
    results: dict[str, set[tuple[str, tuple[int, ...]]]] = {expression: set() for expression in expressions}
    for seed in range(RUNS):
        np.random.seed(seed)
        names: dict[str, Any] = {}
        setting = SETTING.replace("default=3", f"default={seed % 4 + 1}")
        exec(setting.replace("default=2.5", f"default={seed * 0.7 + 1}"), names)  # noqa: S102 - our own text
        for expression in list(results):
            try:
                result = jnp.asarray(eval(expression, names))
            except Exception:  # whatever NumPy and JAX raise: the numbers of this run do not go with it
                del results[expression]
            else:
                results[expression].add((str(result.dtype), result.shape))
    return results
