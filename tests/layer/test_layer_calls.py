"""Calls from Python: bit for bit what ``jax.numpy`` gives, whichever way they take; arguments by position and by name.

CI compares some functions; all of them with the environment variable ``ALL_CALLS=1``.
"""

from __future__ import annotations

import inspect
import os
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxtyping_core as jc
import jaxtyping_core.numpy as lnp

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from layer_calls import ROWS, arguments, function

import layer

pytestmark = pytest.mark.sweep("layer")

SOME = list(ROWS) if os.environ.get("ALL_CALLS") else list(ROWS)[::9]


#: Functions whose argument JAX takes by position alone, although their signature has a name for it.
POSITIONAL = ("isneginf", "isposinf", "modf")


def bits(results: Any) -> list[Any]:
    leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(results)]
    return [(leaf.dtype, leaf.shape, leaf.tobytes()) for leaf in leaves]


@pytest.mark.parametrize("name", [name for name in SOME if name not in ("empty", "empty_like")])
def test_a_call_gives_what_jax_gives(name: str) -> None:
    ours, theirs = function(name, lnp), function(name, jnp)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = bits(theirs(*arguments(name, jnp)))
        assert bits(ours(*arguments(name, lnp))) == expected
        assert bits(ours(*arguments(name, lnp))) == expected  # as planned by the first call
        names = [
            p.name for p in inspect.signature(theirs).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD
        ]
        args = arguments(name, lnp)
        if len(names) >= len(args) and name not in POSITIONAL:
            assert bits(ours(**dict(zip(names, args, strict=False)))) == expected


@pytest.mark.parametrize(
    "name",
    [*("sqrt", "add", "matmul", "sum", "take", "take_along_axis", "gradient", "unstack", "modf", "concat", "split"),
     *("linalg.qr", "linalg.eigh", "linalg.slogdet", "linalg.svd", "unique_counts"),
     *(["top_k"] if hasattr(lnp, "top_k") else [])],  # which JAX 0.10 has in `jax.lax` alone
)  # fmt: skip
def test_a_call_goes_through_few_functions_of_the_layer(name: str) -> None:
    """What a call of one program costs beside JAX: whatever it returns, it is not taken apart step by step."""
    call, args = function(name, lnp), arguments(name, lnp)
    called = []

    def see(frame: Any, event: str, _: Any) -> None:
        of_layer = frame.f_globals.get("__name__", "").startswith("jaxtyping_core")
        # A comprehension is a function of its own before Python 3.12.
        if event == "call" and of_layer and frame.f_code.co_name != "<listcomp>":
            called.append(frame.f_code.co_qualname)

    call(*args)
    call(*args)
    sys.setprofile(see)
    try:
        call(*args)
    finally:
        sys.setprofile(None)
    assert len(called) <= 4


def test_every_function_is_timed() -> None:
    """The benchmark has the whole table, and its rows are calls that both sides can do."""
    rows = layer.every_row(["add", "-x", "linalg.norm", "x.at[0].set(1.0)"])
    assert [row.name for row in rows] == ["-x", "x.at[0].set(1.0)", "add", "linalg.norm"]
    assert {name for module in (lnp, lnp.linalg, lnp.fft) for name in module.FUNCTIONS} == {
        name.rpartition(".")[2] for name in ROWS
    }
    for row in rows:
        assert bits(row.ours()) == bits(row.theirs())


def test_one_function_under_several_systems() -> None:
    """A program is that of the system in force when it was traced, and plans are kept by system."""
    x, y = lnp.ones((2, 2), "int16"), lnp.ones((2, 2), "float16")
    for name in ("add", "matmul", "where", "concat", "power"):
        called = getattr(lnp, name)
        args = {"where": (x > 0, x, y), "concat": ([x, y],)}.get(name, (x, y))
        for _ in range(2):
            assert called(*args).dtype == "float16"
            with lnp.promotion("numpy"):
                assert called(*args).dtype == "float32"
            assert called(*args, system="numpy").dtype == "float32"
            with lnp.promotion("jax-strict"), pytest.raises(jc.PromotionError, match="have no common dtype"):
                called(*args)
            with pytest.raises(jc.PromotionError, match="have no common dtype"):
                called(*args, system="lax")


def test_what_cannot_be_compiled_is_called_as_it_is() -> None:
    x = lnp.asarray([[3.0, 1.0], [2.0, 4.0]])
    assert lnp.sum(x, axis=(0, 1)).tolist() == 10
    assert lnp.swapaxes(x, axis1=0, axis2=1).tolist() == [[3, 2], [1, 4]]
    assert lnp.max(x, initial=9.0).tolist() == lnp.max(x, initial=lnp.asarray(9.0)).tolist() == 9
    assert lnp.sum(x, where=x > 1).tolist() == 9
    assert lnp.nonzero(x > 2)[0].tolist() == lnp.where(x > 2)[0].tolist() == [0, 1]
    assert lnp.reshape(x, [4]).shape == lnp.reshape(x, -1).shape == (4,)
    assert lnp.take(x, lnp.asarray([1]), axis=1).tolist() == lnp.take(x, 1, 1)[:, None].tolist()
    with pytest.raises(ValueError, match="axis 5 is out of bounds"):
        lnp.sum(x, axis=5)
    with pytest.raises(TypeError, match="unexpected keyword argument 'nonsense'"):
        lnp.sum(x, nonsense=1)
    with pytest.raises(TypeError, match=r"missing .* required positional argument"):
        lnp.sum()


BESIDE: dict[str, Callable[[Any, Any, Any], Any]] = {
    "pinv": lambda xp, x, e: xp.linalg.pinv(x, rtol=e / 8),
    "matrix_rank": lambda xp, x, e: xp.linalg.matrix_rank(x, rtol=e / 8),
    "lstsq": lambda xp, x, e: xp.linalg.lstsq(x, x[0], e / 8),
    "cov": lambda xp, x, e: xp.cov(x, aweights=xp.stack([e, e])),
    "histogram": lambda xp, x, e: xp.histogram(x[0], weights=xp.stack([e, e])),
    "histogram2d": lambda xp, x, e: xp.histogram2d(x[0], x[1], 3, weights=xp.stack([e, e])),
    "percentile": lambda xp, x, e: xp.percentile(x, e),
    "nanquantile": lambda xp, x, e: xp.nanquantile(x, e / 8),
}


@pytest.mark.parametrize("name", BESIDE)
def test_weights_and_tolerances_of_another_dtype(name: str) -> None:
    """Under "jax" they are JAX's to promote; under other systems they are no error either."""
    with jax.enable_x64(True):
        for dtype, other in (("float32", "float64"), ("float64", "float32")):
            ours, theirs = (
                BESIDE[name](xp, xp.asarray([[4, 1], [1, 3]], dtype), xp.asarray(2, other))
                for xp in (lnp, jnp)
            )
            assert [x.dtype for x in jax.tree.leaves(ours)] == [x.dtype for x in jax.tree.leaves(theirs)]
            with lnp.promotion("numpy"):
                BESIDE[name](lnp, lnp.asarray([[4, 1], [1, 3]], dtype), lnp.asarray(2, other))


def test_tolerances_under_strict_promotion() -> None:
    refused = pytest.raises(jax.dtypes.TypePromotionError, match="promotion path")
    with jax.enable_x64(True), lnp.promotion("jax-strict"), refused:
        BESIDE["pinv"](lnp, lnp.ones((2, 2), "float32"), lnp.asarray(2.0, "float64"))


def test_a_function_may_give_one_array_and_then_several() -> None:
    x = lnp.eye(3)
    assert type(lnp.linalg.qr(x, mode="r")) is lnp.Array
    assert [type(part) for part in lnp.linalg.qr(x)] == [lnp.Array, lnp.Array]
    assert type(lnp.linalg.qr(x, "r")) is lnp.Array
