"""On an accelerator. Where JAX finds one, all other tests of the layer run on it; these are about where arrays are."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxtyping_core.numpy as lnp

DEVICE = jax.devices()[0]
pytestmark = pytest.mark.skipif(
    DEVICE.platform == "cpu", reason="JAX finds no accelerator here, only the CPU"
)


def compute(xp: Any, x: Any, half: Any, index: Any) -> list[Any]:
    """Operators, functions, indexing and updates, with what joins dtypes among them."""
    y = x @ xp.matrix_transpose(half) + x[:, :1]
    return [
        x + half,
        y,
        xp.where(x > half, x, half),
        xp.sum(y, axis=0),
        x[index],
        x.at[index].set(half[index]),
    ]


def operands(xp: Any) -> tuple[Any, Any, Any]:
    x = xp.asarray(np.linspace(-2, 2, 12, dtype=np.float32).reshape(3, 4))
    return x, x.astype("bfloat16"), xp.asarray(np.array([2, 0]))


@pytest.mark.parametrize("jitted", [False, True])
def test_memory_stays_on_the_device(jitted: bool) -> None:
    function = lnp.jit(lambda *xs: compute(lnp, *xs)) if jitted else lambda *xs: compute(lnp, *xs)
    arguments = operands(lnp)
    with jax.transfer_guard_device_to_host("disallow"):
        results = function(*arguments)
    assert {result.device for result in results} == {DEVICE}


def test_values_are_those_of_jax_there() -> None:
    for ours, theirs in zip(compute(lnp, *operands(lnp)), compute(jnp, *operands(jnp)), strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(np.asarray(ours), np.asarray(theirs))


def test_an_array_elsewhere_is_refused() -> None:
    x = lnp.ones(3)
    there, here = x.to_device(DEVICE), x.to_device(jax.devices("cpu")[0])
    with pytest.raises(ValueError, match="devices"):
        lnp.add(there, here)
