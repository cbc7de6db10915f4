"""The functions of the layer under the system "numpy": NumPy's dtypes, but for what docs/reference/layer/numpy.md lists.

CI tries some of the calls; all of them with the environment variable ``ALL_PAIRS=1``.
"""

from __future__ import annotations

import itertools
import os
import re

import numpy as np
import pytest
from numpy_differences import NAMES, REASONS, TABLE, calls, differing, text

import jaxtyping_core.numpy as jnp

LISTED = set(re.findall(r"^\| `(\w+)` ", TABLE.read_text(), re.MULTILINE))


@pytest.mark.one_python
def test_the_dtypes_are_those_of_numpy() -> None:
    sample = itertools.chain.from_iterable(
        itertools.islice(calls(name), place % 17, None, 17) for place, name in enumerate(NAMES)
    )
    assert {call[0] for call in differing(sample)} <= LISTED


def test_every_difference_has_its_reason() -> None:
    assert REASONS.keys() >= LISTED


@pytest.mark.skipif(not os.environ.get("ALL_PAIRS"), reason="two minutes; ALL_PAIRS=1 asks for it")
def test_the_table_is_current() -> None:
    assert TABLE.read_text() == text()


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize("name", ["convolve", "correlate"])
def test_convolutions_of_integers_are_exact(name: str, mode: str) -> None:
    rng = np.random.default_rng(0)
    for sizes in ((1, 1), (2, 5), (5, 2), (3, 4), (4, 4)):
        a, v = (rng.integers(-(2**30), 2**30, size).astype("int32") for size in sizes)
        with jnp.promotion("numpy"):
            ours = getattr(jnp, name)(jnp.asarray(a), jnp.asarray(v), mode)
        np.testing.assert_array_equal(np.asarray(ours), getattr(np, name)(a, v, mode))
        np.testing.assert_array_equal(
            np.asarray(getattr(jnp, name)(a, v, mode, system="numpy")), np.asarray(ours)
        )
        for named in ({"a": a, "v": v, "mode": mode}, {"v": v, "a": a, "mode": mode, "system": "numpy"}):
            with jnp.promotion("numpy"):
                np.testing.assert_array_equal(np.asarray(getattr(jnp, name)(**named)), np.asarray(ours))


def test_convolutions_of_more_than_a_float_holds() -> None:
    large, ones = jnp.asarray([2**24, 1]), jnp.asarray([1, 1])
    for system in ("numpy", "torch"):
        assert jnp.convolve(large, ones, system=system).tolist() == [2**24, 2**24 + 1, 1]
        assert jnp.polymul(large, ones, system=system).tolist() == [2**24, 2**24 + 1, 1]
    assert jnp.convolve(large, ones).dtype == "float32"  # as in JAX
