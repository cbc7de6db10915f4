"""What nothing is known of, as an argument of JAX's functions: what is said of results holds whatever it is."""

from __future__ import annotations

import contextlib
import functools
import itertools
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from claims_of_calls import claims_of, holds

import sweeps

pytestmark = pytest.mark.one_python
CALLS = sweeps.some(
    "calls", (Path(__file__).parent / "data" / "unknown_calls.txt").read_text().splitlines()[1:]
)
SETTING = """
import math
import jax
import jax.numpy as jnp
import numpy as np
x, y, i, b = jnp.ones((3, 3)), jnp.ones((2, 3, 4)), jnp.array([0, 1]), jnp.ones((3, 3), jnp.int8)
"""
#: More dims than are tried where nothing is known.
DIMS = range(8)
SHAPES = [
    *((3,) * rank for rank in DIMS),
    *((2, 3, 4, 5, 6, 7, 8)[:rank] for rank in DIMS),
    (1,) * 4,
    (2, 1, 1, 1),
]
ARRAYS = [
    jax.ShapeDtypeStruct(shape, jnp.dtype(dtype))
    for dtype, shape in itertools.product(("float32", "int32", "bool", "bfloat16"), SHAPES)
]
#: What else it may be: numbers, axes, shapes, dtypes.
OTHERS = [
    *(-1, 0, 1, 2, 3, 12, 0.5, 2.5, True, False, None, (), [1, 2], [1.0, 2.0], np.int64(2), np.float64(2)),
    *(
        (2,),
        (0, 1),
        (3, 3),
        (1, 2, 3),
        (2, 3, 4),
        (1, 2, 0),
        (1, 2, 3, 4),
        (1,) * 6,
        np.ones((3, 3), np.int64),
    ),
    *(jnp.float32, jnp.int8, "bfloat16", bool, int, np.float64, jnp.dtype("uint8"), "ij,jk->ik"),
]


@pytest.mark.filterwarnings("ignore")
def test_what_is_said_holds_whatever_it_is(tmp_path: Path) -> None:
    setting = f"from nowhere import unknown\nq = unknown(){SETTING}"
    claims = claims_of(tmp_path / "program.py", setting, {call: call for call in CALLS})
    wrong = {
        call: (claims[call], result)
        for call in CALLS
        for result in _results(call)
        if not holds(claims[call], *result)
    }
    assert not wrong
    # Of the others, nothing is the same for all arrays, or not to be seen from so few.
    known = sum(claim != (None, None) for claim in claims.values())
    assert known > sweeps.floor("calls", 0.15, len(CALLS)) * len(CALLS)


def _results(call: str) -> set[tuple[str, tuple[int, ...]]]:
    """What is given for what goes with the call."""
    names: dict[str, Any] = {}
    exec(SETTING, names)  # noqa: S102 - our own text
    function = eval(f"lambda q: {call}", names)
    attempts = [
        *(functools.partial(jax.eval_shape, function, array) for array in ARRAYS),
        *(functools.partial(function, value) for value in OTHERS),
    ]
    results = set()
    for attempt in attempts:
        with contextlib.suppress(Exception):  # whatever is raised: this value does not go with the call
            result = attempt()
            results.add((str(result.dtype), result.shape))
    assert results, call
    return results
