"""Calls with several unknown arrays: the result that is shown holds for arrays of different dtypes and ranks."""

from __future__ import annotations

import contextlib
import itertools
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from claims_of_calls import claims_of, holds

pytestmark = pytest.mark.one_python
SETTING = """
import jax
import jax.numpy as jnp
import numpy as np
from nowhere import unknown
"""
OF_JAX = "u, v, w = jnp.asarray(unknown()), jnp.asarray(unknown()), jnp.asarray(unknown())\n"
OF_NUMPY = "u, v, w = np.asarray(unknown()), np.asarray(unknown()), np.asarray(unknown())\n"
#: Calls that take equal ranks, or equal dtypes, only of some kind.
CALLS = [
    "jnp.roll(u, v, axis=0)",
    "jnp.interp(u, v, w)",
    "jnp.searchsorted(u, v)",
    "jnp.digitize(u, v)",
    "jnp.einsum('ij,jk->ik', u, v)",
    "jnp.outer(u, v)",
    "jnp.append(u, v)",
    "jax.random.permutation(u, v)",
    "jax.random.choice(u, v)",
    "jax.random.gamma(u, v)",
]
CALLS_OF_NUMPY = [call.replace("jnp.", "np.") for call in CALLS if "random" not in call]
KNOWN = {"jnp.einsum('ij,jk->ik', u, v)", "jnp.outer(u, v)", "jnp.append(u, v)"}
SHAPES = [(), (2,), (3,), (2, 2), (3, 2), (3, 2, 2)]


@pytest.mark.parametrize(
    ("arrays", "calls", "made"), [(OF_JAX, CALLS, jnp.ones), (OF_NUMPY, CALLS_OF_NUMPY, np.ones)]
)
def test_what_is_said_holds_for_unlike_arrays(
    arrays: str, calls: list[str], made: Any, tmp_path: Path
) -> None:
    wrapped = {call: f"jnp.asarray({call})" for call in calls}
    claims = claims_of(tmp_path / "program.py", SETTING + arrays, wrapped)
    wrong = {
        call: (claims[call], result)
        for call in calls
        for result in _results(wrapped[call], made)
        if not holds(claims[call], *result)
    }
    assert not wrong
    unknown = {call for call in calls if claims[call] == (None, None)}
    assert not unknown & KNOWN


def _results(call: str, made: Any) -> set[tuple[str, tuple[int, ...]]]:
    samples = [made(shape, dtype) for shape in SHAPES for dtype in ("float32", "uint32")]
    function, results = eval(f"lambda u, v, w: {call}", {"jax": jax, "jnp": jnp, "np": np}), set()
    for u, v in itertools.product(samples, samples):
        with contextlib.suppress(Exception):  # whatever is raised: these do not go with the call
            result = jax.eval_shape(function, u, v, v) if made is jnp.ones else function(u, v, v)
            results.add((str(result.dtype), result.shape))
    assert results, call
    return results
