"""Arrays made of Python's and NumPy's numbers: their dtype is that of the system in force, and no number wraps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest

import jaxtyping_core as jc
import jaxtyping_core.numpy as jnp

pytestmark = pytest.mark.sweep("layer")

I16, F16, F32 = np.int16(1), np.float16(3), np.float32(3)
#: What makes an array, over a namespace that is NumPy or the layer.
LISTS: list[Callable[[Any], Any]] = [
    lambda xp: xp.asarray([0, False]),
    lambda xp: xp.asarray([1.5, False]),
    lambda xp: xp.array([I16, F16]),
    lambda xp: xp.array([xp.asarray(I16), 1.5]),
    lambda xp: xp.array([F32, 1.5]),
    lambda xp: xp.array([[I16, 3], [2, 1]]),
    lambda xp: xp.array([np.ones(2, "int8"), np.ones(2, "uint8")]),
    lambda xp: xp.array([1, 2.5]),
    lambda xp: xp.array([np.bool_(True), 2]),
]
BOUNDS: list[Callable[[Any], Any]] = [
    *(
        lambda xp, args=args: xp.arange(*args)
        for args in ((I16, F16), (0, F16), (F16,), (I16, 5), (0, 5, I16))
    ),
    *(
        lambda xp, args=args: xp.linspace(*args)
        for args in ((I16, F16), (0, F16), (F32, F16), (I16, I16), (0, 1))
    ),
    *(lambda xp, args=args: xp.geomspace(*args) for args in ((I16, F16), (F16, 1.0), (F16, F32), (1, 2))),
    *(lambda xp, args=args: xp.logspace(*args) for args in ((I16, F16), (F16, F16), (1, 2))),
    lambda xp: xp.full(2, I16),
    lambda xp: xp.full(2, 1.5),
]


@pytest.mark.parametrize("make", [*LISTS, *BOUNDS])
def test_numpy(make: Callable[[Any], Any]) -> None:
    with jax.enable_x64(True), jnp.promotion("numpy"):
        ours, theirs = make(jnp), make(np)
    assert (ours.dtype, ours.shape, ours.weak_type) == (theirs.dtype, theirs.shape, False)
    np.testing.assert_allclose(np.asarray(ours), theirs, rtol=1e-2)


@pytest.mark.parametrize("make", [*LISTS, *BOUNDS])
@pytest.mark.parametrize("x64", [False, True])
def test_jax(make: Callable[[Any], Any], x64: bool) -> None:
    with jax.enable_x64(x64):
        ours, theirs = make(jnp), make(jax.numpy)
        assert (ours.dtype, ours.weak_type) == (theirs.dtype, theirs.weak_type)
        np.testing.assert_array_equal(np.asarray(ours), np.asarray(theirs))


def test_the_base_is_an_operand() -> None:
    """In JAX the dtype is that of the ends, whatever the base is; in NumPy it takes part."""
    for system in ("jax", "numpy"):
        assert jnp.logspace(F16, F16, base=F32, system=system).dtype == np.logspace(F16, F16, base=F32).dtype


def test_torch() -> None:
    """As PyTorch documents: https://docs.pytorch.org/docs/stable/generated/torch.arange.html and torch.linspace."""
    with jax.enable_x64(True), jnp.promotion("torch"):
        assert jnp.arange(0, F16).dtype == jnp.linspace(0, np.float64(1)).dtype == "float32"
        assert jnp.arange(np.int8(3)).dtype == jnp.asarray([0, False]).dtype == "int64"


def test_a_system_that_refuses() -> None:
    for system in ("jax-strict", "tensorflow", "lax"):
        with (
            jnp.promotion(system),
            pytest.raises(jc.PromotionError, match=r"cast .* first, e\.g\. x\.astype"),
        ):
            jnp.array([I16, F16])


def test_a_system_for_one_call() -> None:
    assert jnp.array([I16, F16], system="numpy").dtype == "float32"
    assert jnp.array([I16, F16], dtype="int8", system="lax").dtype == "int8"


MESSAGE = r"the Python integer 300 is out of bounds for uint8 \(0 to 255\)"


@pytest.mark.parametrize(
    "make",
    [
        lambda: jnp.full(2, 300, "uint8"),
        lambda: jnp.full((2,), fill_value=300, dtype=jnp.uint8),
        lambda: jnp.full_like(jnp.ones(2, "uint8"), 300),
        lambda: jnp.arange(300, 303, dtype="uint8"),
        lambda: jnp.arange(0, 301, 100, dtype="uint8"),
        lambda: jnp.arange(301, dtype="uint8"),
    ],
)
def test_numbers_do_not_wrap(make: Callable[[], Any]) -> None:
    with pytest.raises(OverflowError, match=MESSAGE):
        make()


def test_numbers_that_fit() -> None:
    assert jnp.full(2, 255, "uint8").tolist() == [255, 255]
    assert jnp.full_like(jnp.ones(2), 300).tolist() == [300, 300]
    assert jnp.arange(256, dtype="uint8")[-1] == 255
    assert jnp.arange(0, 300, 50, dtype="uint8").tolist() == [0, 50, 100, 150, 200, 250]
    assert jnp.arange(3, 3, dtype="uint8").size == 0


@pytest.mark.parametrize("system", ["jax", "numpy", "torch"])
@pytest.mark.parametrize("number", [300, -300, 2**70, -1])
def test_comparisons_with_numbers_of_no_dtype(system: str, number: int) -> None:
    x = np.array([0, 44, 255], "uint8")
    with jnp.promotion(system):
        ours = jnp.asarray(x)
        for name in ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"):
            expected = [getattr(int(item), name)(number) for item in x]
            assert getattr(ours, name)(number).tolist() == expected
            assert jax.jit(lambda ours, name=name: getattr(ours, name)(number))(ours).tolist() == expected
        assert (number == ours).tolist() == [False] * 3
        assert (300 in ours) is False
