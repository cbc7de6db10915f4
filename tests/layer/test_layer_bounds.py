"""Python integers that a dtype cannot hold: exact where the answer does not have the dtype, else refused, never wrapped."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

import jaxtyping_core.numpy as jnp

pytestmark = pytest.mark.sweep("layer")

SYSTEMS = ["jax", "numpy", "torch", "jax-strict"]
ANSWERS: list[Callable[[Any, Any], Any]] = [
    lambda xp, x: xp.clip(x, -1, 300),
    lambda xp, x: xp.clip(x, 2, 300),
    lambda xp, x: x.clip(max=10**30),
    lambda xp, x: x.clip(min=-(10**30)),
    lambda xp, x: xp.isclose(x, 257, atol=3),
    lambda xp, x: xp.allclose(x, 300),
    lambda xp, x: xp.array_equal(x, 300),
    lambda xp, x: xp.array_equiv(300, x),
    lambda xp, x: xp.isin(x, 300),
    lambda xp, x: xp.isin(300, x),
    lambda xp, x: xp.searchsorted(x, 300),
    lambda xp, x: xp.searchsorted(x, v=-1),
    lambda xp, x: x == 300,
    lambda xp, x: x < 10**30,
]


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("answer", ANSWERS)
def test_answers_are_those_of_numpy(answer: Callable[[Any, Any], Any], system: str) -> None:
    x = np.asarray([1, 3, 255], "uint8")
    with jnp.promotion(system):
        np.testing.assert_array_equal(answer(jnp, jnp.asarray(x)), answer(np, x))
        np.testing.assert_array_equal(jax.jit(lambda y: answer(jnp, y))(jnp.asarray(x)), answer(np, x))


def test_a_clipped_array_keeps_its_dtype() -> None:
    assert jnp.clip(jnp.ones(2, "uint8"), -1, 300).dtype == "uint8"
    assert jnp.clip(jnp.ones(2, "int8"), -1000, 2.5).dtype == "float32"


REFUSED: list[Callable[[Any], Any]] = [
    lambda x: jnp.clip(x, 300, 400),
    lambda x: jnp.clip(x, max=-1),
    lambda x: jnp.maximum(x, -1),
    lambda x: jnp.where(x > 1, x, 300),
    lambda x: jnp.arange(2**40, 2**40 + 2),
    lambda x: jnp.arange(2**31 + 1),
    lambda x: jnp.mgrid[2**40 : 2**40 + 2],
    lambda x: jnp.ogrid[0:2, 2**40 : 2**40 + 2],
    lambda x: jnp.r_[2**40 : 2**40 + 2, x],
]


@pytest.mark.parametrize("refused", REFUSED)
def test_nothing_is_wrapped(refused: Callable[[Any], Any]) -> None:
    with pytest.raises(OverflowError, match="is out of bounds for"):
        refused(jnp.ones(2, "uint8"))


def test_the_default_dtype_is_the_widest() -> None:
    with jax.enable_x64(True):
        assert jnp.arange(2**40, 2**40 + 2).tolist() == [2**40, 2**40 + 1]


@pytest.mark.parametrize("system", SYSTEMS)
def test_large_integers_beside_floats(system: str) -> None:
    x = jnp.ones(2)
    with jnp.promotion(system):
        for out in (x * 2**40, 2**40 * x, jnp.maximum(x, 2**40), jnp.where(x > 0, x * 2**40, 2**70)):
            assert (out.dtype, out.tolist()) == ("float32", [2.0**40] * 2)
        assert jnp.clip(x, 2**40, 2**41).tolist() == [2.0**40] * 2
        assert (jnp.ones(2, "complex64") * 2**70).tolist() == [2.0**70] * 2
