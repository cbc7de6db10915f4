"""Unknown ints as bounds and indices: what is said of `x` holds for each value of `n`, 0 among them, and nothing right is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jax
import pytest
from evaluating import evaluate_text

from jaxtyping_core.evaluation.client import Evaluator

pytestmark = pytest.mark.one_python
HEAD = "import jax.numpy as jnp\ndata = jnp.zeros((8, 3))\n"
VALUES = (0, 1, 2, 3)
#: Programs, and what is known of the dims of `x`.
CASES = {
    "for i in range(n):\n    x = data[i * 4 : (i + 1) * 4]": (None, 3),
    "for i in range(n):\n    x = data[i * 100 : 8]": (None, 3),
    "for i in range(n):\n    x = data[: i * 4].sum(0)": (3,),
    "for i in range(n):\n    x = data[i * 2 : i * 2 + 2]\n    x = x.reshape(-1, 3)": (None, 3),
    "for i in range(n):\n    x = data[min(i, 0) : 8].reshape(8, 3)": (8, 3),
    "for i, _ in enumerate(range(n)):\n    x = data[i : i + 2, :]": (None, 3),
    "for i in range(n):\n    x = jnp.max(data[i * 2 : (i + 1) * 2], axis=0)": (3,),
    "k = int(jnp.sum(jnp.arange(n)))\nx = data[k * 8 :]": (None, 3),
    "x = data[n : n + 1]": (None, 3),
    "x = data[:, n:]": (8, None),
    "x = data[n]": (3,),
    "x = jnp.zeros((n, 3))": (None, 3),
}


def shapes(program: str) -> Iterator[tuple[int, ...]]:
    """The shapes of `x` in all runs."""
    for value in VALUES:
        scope: dict[str, Any] = {"n": value}
        exec(HEAD + program, scope)  # noqa: S102  # a program of the table above
        if isinstance(scope.get("x"), jax.Array):
            yield scope["x"].shape


@pytest.mark.parametrize("program", CASES)
def test_an_unknown_int(child: Evaluator, tmp_path: Path, program: str) -> None:
    report = evaluate_text(child, tmp_path, f"import sys\nn = int(sys.argv[1])\n{HEAD}{program}\n")
    assert report.refusals == []
    place = [place for place in report.places if place.name == "x"][-1]
    known = [size if isinstance(size, int) else None for size in place.shape or ()]
    assert tuple(known) == CASES[program]
    seen = list(shapes(program))
    assert seen
    for shape in seen:
        assert len(shape) == len(known)
        assert all(size in (None, actual) for size, actual in zip(known, shape, strict=True))


def test_a_slice_of_a_number_has_no_axes(child: Evaluator, tmp_path: Path) -> None:
    report = evaluate_text(
        child, tmp_path, f"import jax\n{HEAD}x = jax.lax.dynamic_slice(jnp.asarray(3), (), ())\n"
    )
    assert report.notes == report.refusals == []
