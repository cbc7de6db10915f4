"""The values of the functions: those of ``jax.numpy`` and of NumPy, bit for bit where both are defined."""

from __future__ import annotations

import inspect
import itertools
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxtyping_core.numpy as lnp
from jaxtyping_core.numpy._table import LEFT_OUT

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from layer_calls import ROWS, arguments, function

pytestmark = pytest.mark.sweep("layer")

#: What JAX raises where it refuses a dtype; the last two for rare ones.
REFUSALS = (TypeError, ValueError, NotImplementedError, AssertionError)


def test_the_names_that_are_left_out() -> None:
    names = {
        name for name in dir(jnp) if not name.startswith("_") and not inspect.ismodule(getattr(jnp, name))
    }
    assert {name for name in names if not hasattr(lnp, name)} == {
        name for name in LEFT_OUT if hasattr(jnp, name)
    }
    for module in ("linalg", "fft"):
        theirs = {name for name in dir(getattr(jnp, module)) if not name.startswith("_")}
        assert {name for name in theirs if not hasattr(getattr(lnp, module), name)} == set()


#: Functions whose result has a shape that depends on values: they cannot be traced.
UNTRACEABLE = [
    "argwhere",
    "bincount",
    "choose",
    "compress",
    "delete",
    "extract",
    "flatnonzero",
    "intersect1d",
    "nonzero",
    "ravel_multi_index",
    "repeat",
    "roots",
    "setdiff1d",
    "setxor1d",
    "trim_zeros",
    "union1d",
    "unique",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
    "from_dlpack",
    "frombuffer",
]


@pytest.mark.parametrize("name", ROWS)
def test_the_program_is_that_of_jax(name: str) -> None:
    """The jaxpr is the same to the letter, so the values are, and there are no other conversions."""
    programs = {xp.__name__: program(name, xp) for xp in (jnp, lnp)}
    assert programs[lnp.__name__] == programs[jnp.__name__]


def cast(leaf: Any, dtypes: Iterator[str]) -> Any:
    return leaf.astype(next(dtypes)) if isinstance(leaf, jax.Array) and leaf.dtype == jnp.float32 else leaf


@pytest.mark.parametrize("dtypes", [("int8",), ("bool",), ("int32", "float16"), ("float16", "float32")])
def test_the_dtypes_are_those_of_jax(dtypes: tuple[str, ...]) -> None:
    """For arguments of other dtypes, and of several at once."""
    different = {}
    for name in ROWS.keys() - set(UNTRACEABLE):
        turn = itertools.cycle(dtypes)
        args = jax.tree.map(lambda leaf, turn=turn: cast(leaf, turn), arguments(name, jnp))
        ours, theirs = (types(name, xp, args) for xp in (lnp, jnp))
        # JAX refuses some dtypes that have a common one: it promotes too late there.
        if ours != theirs and not (theirs is None and ours and len(dtypes) > 1):
            different[name] = (ours, theirs)
    assert different == {}


def traceable(name: str, xp: Any, args: Any) -> tuple[Callable[[list[Any]], Any], list[Any]]:
    """The function as one of the arrays among its arguments, and these; its results as JAX's arrays."""
    leaves, structure = jax.tree.flatten(args)
    places = [place for place, leaf in enumerate(leaves) if isinstance(leaf, jax.Array)]

    def call(values: list[Any]) -> Any:
        filled = dict(enumerate(leaves)) | dict(zip(places, values, strict=True))
        return jax.tree.leaves(function(name, xp)(*jax.tree.unflatten(structure, list(filled.values()))))

    return call, [leaves[place] for place in places]


def types(name: str, xp: Any, args: Any) -> list[tuple[str, bool]] | None:
    """The dtypes of the results, and whether they are weak; None where the function refuses."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            results = jax.eval_shape(*traceable(name, xp, args))
        except REFUSALS:
            return None
    return [(leaf.dtype.name, leaf.weak_type) for leaf in results]


def program(name: str, xp: Any) -> str:
    """What JAX traces for the function; where it cannot trace it, what it gives."""
    call, values = traceable(name, xp, arguments(name, jnp))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name in UNTRACEABLE:
            return str([(x.dtype, x.tolist()) for x in map(np.asarray, call(values))])
        return re.sub("0x[0-9a-f]+", "", str(jax.make_jaxpr(call)(values)))


def test_every_function_gives_arrays_of_the_layer() -> None:
    for name in ("sum", "split", "linalg.eigh", "unique_all", "divmod", "broadcast_arrays", "histogram"):
        if name in ROWS:
            results = function(name, lnp)(*arguments(name, lnp))
            assert all(
                type(leaf) is lnp.Array
                for leaf in jax.tree.leaves(results, is_leaf=lambda leaf: type(leaf) is lnp.Array)
            )


@pytest.mark.parametrize(
    "name", ["add", "where", "sum", "matmul", "linalg.solve", "fft.fft", "sort", "concat", "einsum", "unique"]
)
def test_the_values_are_those_of_jax(name: str) -> None:
    theirs = jax.tree.leaves(function(name, jnp)(*arguments(name, jnp)))
    ours = jax.tree.leaves(function(name, lnp)(*arguments(name, lnp)))
    assert [(x.dtype, x.weak_type, x.shape) for x in ours] == [
        (x.dtype, x.weak_type, x.shape) for x in theirs
    ]
    assert [np.asarray(x).tobytes() for x in ours] == [np.asarray(x).tobytes() for x in theirs]


EXACT = ["add", "subtract", "multiply", "maximum", "minimum", "equal", "less", "floor_divide", "remainder"]


@pytest.mark.parametrize("name", EXACT)
def test_the_values_are_those_of_numpy(name: str) -> None:
    """Under the system "numpy", for functions that both libraries compute exactly."""
    rng = np.random.default_rng(0)
    arrays = [
        rng.integers(1, 100, 7).astype(dtype) for dtype in ("int8", "uint8", "int32", "uint64", "int64")
    ]
    arrays += [rng.normal(size=7).astype(dtype) for dtype in ("float16", "float32", "float64")]
    with jax.enable_x64(True), lnp.promotion("numpy"), np.errstate(all="ignore"):
        for x, y in itertools.product(arrays[::2], arrays):
            if name in ("floor_divide", "remainder") and {x.dtype.kind, y.dtype.kind} != {"i"}:
                continue  # in floating point the libraries divide differently
            ours, theirs = function(name, lnp)(x, y), getattr(np, name)(x, y)
            assert (ours.dtype, np.asarray(ours).tobytes()) == (theirs.dtype, theirs.tobytes()), (x, y)
