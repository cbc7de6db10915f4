"""The dtype and weakness of every binary function, for every pair of dtypes, under every system.

A call is a conversion of the operands and then one function of JAX on one dtype. `add` shows the conversions for
every pair; each other function is asked for every dtype, and for a part of the pairs as a whole, under JAX's and
NumPy's system here, under all in `test_layer_pairs`. All pairs with the environment variable ``ALL_PAIRS=1``.
"""

from __future__ import annotations

import itertools
import os
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxtyping_core as jc
import jaxtyping_core.numpy as lnp
from jaxtyping_core import dtypes
from jaxtyping_core.lattice import NODES
from jaxtyping_core.numpy._table import TABLE
from jaxtyping_core.promotion import find, resolve
from jaxtyping_core.systems import SYSTEMS

pytestmark = pytest.mark.sweep("layer")

AVAILABLE = [node for node in NODES if node in dtypes.WEAK or node in dtypes.available()]
PAIRS = list(itertools.product(AVAILABLE, repeat=2))
#: The functions that take two arrays, with what they need of these.
BINARY = [row.name for row in TABLE if row.elementwise and len(row.operands) == 2] + ["power", "pow"]
Answer = tuple[str, bool] | None


def struct(node: str, x64: bool, shape: tuple[int, ...] = (2,)) -> jax.ShapeDtypeStruct:
    dtype = dtypes.numpy_dtype(dtypes.canonical(resolve(node, x64), x64))
    return jax.ShapeDtypeStruct(shape, dtype, weak_type=node in dtypes.WEAK)


def answers(
    function: Callable[..., Any], pairs: Iterable[tuple[str, str]], x64: bool
) -> dict[tuple[str, str], Answer]:
    """What `function` gives for `pairs`, in one trace; None where it refuses."""
    pairs, answers = list(pairs), {}

    def ask(arrays: dict[str, Any]) -> None:
        for pair in pairs:
            try:
                out = function(arrays[pair[0]], arrays[pair[1]])
            except (TypeError, ValueError, NotImplementedError):  # the last: unsupported dtypes
                answers[pair] = None
            else:
                answers[pair] = (out.dtype.name, bool(out.weak_type))

    nodes = sorted({node for pair in pairs for node in pair})
    with jax.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        jax.eval_shape(ask, {node: struct(node, x64) for node in nodes})
    return answers


def table(pair: tuple[str, str], system: str, x64: bool) -> Answer:
    operands = tuple(dtypes.canonical(node, x64) for node in pair)  # what arrays there are
    node = find(operands, system, x64)
    if node is None:
        return None
    node = dtypes.canonical(node, x64)
    return resolve(node, x64), node in dtypes.WEAK


def differing(ours: dict[Any, Any], theirs: dict[Any, Any]) -> dict[Any, Any]:
    return {pair: (ours[pair], theirs[pair]) for pair in ours if ours[pair] != theirs[pair]}


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_pair(system: str, x64: bool) -> None:
    with lnp.promotion(system):
        ours = answers(lnp.add, PAIRS, x64)
    assert differing(ours, {pair: table(pair, system, x64) for pair in PAIRS}) == {}


def part(name: str) -> list[tuple[str, str]]:
    """A part of the pairs, a different one for each function."""
    if os.environ.get("ALL_PAIRS"):
        return PAIRS
    return PAIRS[BINARY.index(name) :: 61]


SAME: list[tuple[str, str]] = [(node, node) for node in AVAILABLE]


@pytest.mark.parametrize("name", BINARY)
def test_jax_is_jax(name: str) -> None:
    pairs = [*SAME, *part(name)]
    theirs = answers(getattr(jnp, name), pairs, False)
    assert differing(answers(getattr(lnp, name), pairs, False), theirs) == {}


@pytest.mark.parametrize("name", ["add", "divide", "power", "sin_of_sum"])
def test_jax_is_jax_with_x64(name: str) -> None:
    ours, theirs = (
        (lambda x, y, xp=xp: xp.sin(x + y)) if name == "sin_of_sum" else getattr(xp, name)
        for xp in (lnp, jnp)
    )
    pairs = [*SAME, *PAIRS[::23]]
    assert differing(answers(ours, pairs, True), answers(theirs, pairs, True)) == {}


#: NumPy's own numeric dtypes that JAX has.
OF_NUMPY = [node for node in AVAILABLE if hasattr(np, node)]
SCALARS = {"weak_int": int, "weak_float": float, "weak_complex": complex}


def numpy_answer(ufunc: Any, pair: tuple[str, str]) -> Answer:
    operands = tuple(SCALARS.get(node) or np.dtype(node) for node in pair)
    try:
        return ufunc.resolve_dtypes((*operands, None))[-1].name, False
    except TypeError:
        return None


@pytest.mark.parametrize("name", [name for name in BINARY if isinstance(getattr(np, name, None), np.ufunc)])
def test_numpy_is_numpy(name: str) -> None:
    pairs = [
        pair for pair in itertools.product([*OF_NUMPY, *SCALARS], repeat=2) if not set(pair) <= set(SCALARS)
    ]
    theirs = {pair: numpy_answer(getattr(np, name), pair) for pair in pairs}
    with lnp.promotion("numpy"):
        ours = answers(getattr(lnp, name), pairs, True)
    # Each library refuses some dtypes that the other one computes with.
    assert differing(*({p: a for p, a in x.items() if ours[p] and theirs[p]} for x in (ours, theirs))) == {}


#: Under 64-bit types: the dtype of `ones(2)`, `asarray(1.5)`, and of a mean, a sum and cumulative sums of int8.
MADE: dict[str, tuple[Any, ...]] = {
    "jax": ("float64", ("float64", True), "float32", "int64", "int8"),
    "numpy": ("float64", ("float64", False), "float64", "int64", "int64"),
    "torch": ("float32", ("float32", False), "float32", "int64", "int64"),
    "tensorflow": ("float32", ("float32", False), None, "int8", "int8"),
    "lax": ("float64", ("float64", True), None, "int8", "int8"),
}


@pytest.mark.parametrize("system", MADE)
def test_creation_and_sums(system: str) -> None:
    ones, scalar, mean, total, running = MADE[system]
    with jax.enable_x64(True), lnp.promotion(system):
        small, made = lnp.ones(3, "int8"), lnp.asarray(1.5)
        assert (lnp.ones(2).dtype, lnp.ones(2).weak_type) == (ones, False)
        assert (made.dtype, made.weak_type) == scalar
        assert (small.dtype, small.sum().dtype, lnp.cumsum(small).dtype) == ("int8", total, running)
        assert lnp.sum(small, dtype="int16").dtype == small.sum(0, "int16").dtype == "int16"
        if mean:
            assert lnp.mean(small).dtype == mean
        else:
            with pytest.raises(jc.PromotionError):
                lnp.mean(small)


@pytest.mark.parametrize(
    ("system", "dtype"), [("numpy", "float64"), ("torch", "float64"), ("jax", "float16")]
)
def test_float_power_is_double_where_the_library_has_no_other(system: str, dtype: str) -> None:
    """https://docs.pytorch.org/docs/stable/generated/torch.float_power.html"""
    with jax.enable_x64(True):
        x = lnp.ones(2, "float16")
        assert lnp.float_power(x, x, system=system).dtype == dtype
        assert lnp.cov(lnp.ones((2, 2), "float16"), system="torch").dtype == "float16"
