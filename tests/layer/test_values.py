"""The values of the functions: those of ``jax.numpy`` and of NumPy, bit for bit where both are defined."""

from __future__ import annotations

import itertools
import re
import warnings
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import jaxtyping_core.numpy as lnp
from jaxtyping_core.numpy import _extensions
from jaxtyping_core.numpy._table import TABLE

ROWS = {
    f"{row.module.removeprefix('jaxtyping_core.numpy')}.{row.name}".strip("."): row
    for row in (*TABLE, *_extensions.LINALG, *_extensions.FFT)
}

MATRIX = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]
VECTOR = [0.5, -0.25, 0.75]


def sample(xp: Any) -> dict[str, tuple[Any, ...]]:
    """Arguments for the functions that do not take one or two matrices."""
    m, v, i = xp.asarray(MATRIX), xp.asarray(VECTOR), xp.asarray([3, 1, 2])
    return {
        **dict.fromkeys(("acosh", "arccosh"), (m + 1,)),
        **dict.fromkeys(("asin", "acos", "atanh", "arcsin", "arccos", "arctanh", "unwrap"), (v,)),
        **dict.fromkeys(("bitwise_count", "bitwise_invert", "bitwise_not", "invert", "bincount"), (i,)),
        **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "lcm", "left_shift"), (i, i + 1)),
        **dict.fromkeys(("right_shift", "bitwise_left_shift", "bitwise_right_shift"), (i + 9, i)),
        **dict.fromkeys(("frexp", "modf", "diag", "diagflat", "trim_zeros", "vander"), (v,)),
        **dict.fromkeys(("convolve", "correlate", "cross", "polyadd", "polysub", "polymul", "polyval"), (v, v)),
        **dict.fromkeys(("vdot", "kron", "outer", "linalg.outer", "linalg.cross"), (v, v + 1)),
        **dict.fromkeys(("quantile", "nanquantile"), (m, 0.3)),
        **dict.fromkeys(("percentile", "nanpercentile"), (m, 30)),
        **dict.fromkeys(("split", "vsplit", "hsplit", "array_split"), (m, 3)),
        **dict.fromkeys(("concat", "concatenate", "stack", "hstack", "vstack", "dstack"), ([m, m * 2],)),
        **dict.fromkeys(("column_stack", "lexsort", "linalg.multi_dot"), ([m, m * 2],)),
        **dict.fromkeys(("empty", "ones", "zeros"), ((2, 3),)),
        **dict.fromkeys(("expand_dims", "linalg.matrix_power", "roll", "partition", "argpartition"), (m, 1)),
        **dict.fromkeys(("repeat", "resize", "delete"), (m, 2)),
        **dict.fromkeys(("solve", "linalg.solve", "linalg.lstsq"), (m, v)),
        **dict.fromkeys(("searchsorted", "digitize"), (v, xp.asarray([-1.0, 0.0, 1.0]))),
        **dict.fromkeys(("eye", "identity", "tri", "tril_indices", "triu_indices"), (3,)),
        **dict.fromkeys(("fft.fftfreq", "fft.rfftfreq", "arange"), (5,)),
        **dict.fromkeys(("linspace", "geomspace", "logspace"), (1.0, 2.0, 5)),
        **dict.fromkeys(("cumsum", "cumprod", "nancumsum", "nancumprod"), (m, 0)),
        **dict.fromkeys(("cumulative_sum", "cumulative_prod", "fft.hfft", "fft.irfft"), (v,)),
        "append": (m, v),
        "astype": (m, "int32"),
        "average": (m, 0, v),
        "broadcast_to": (v, (2, 3)),
        "clip": (m, 0.3, 2.5),
        "compress": (v > 0, m, 0),
        "dsplit": (m.reshape(1, 3, 3), 3),
        "einsum": ("ij,j->i", m, v),
        "extract": (m > 1, m),
        "frombuffer": (np.arange(3.0, dtype="float32").tobytes(), "float32"),
        "from_dlpack": (np.arange(3.0, dtype="float32"),),
        "full": ((2, 3), 7),
        "full_like": (m, 7),
        "indices": ((2, 3),),
        "insert": (m, 1, v, 0),
        "interp": (v, xp.asarray([-1.0, 0.0, 1.0]), xp.asarray([3.0, 4.0, 6.0])),
        "isin": (i, xp.asarray([2, 3])),
        "linalg.tensorinv": (m.reshape(3, 3), 1),
        "linalg.tensorsolve": (m, v),
        "matvec": (m, v),
        "diff": (m, 1, 0),
        "meshgrid": (v, v),
        "moveaxis": (m, 0, 1),
        "packbits": (i > 1,),
        "permute_dims": (m, (1, 0)),
        "reshape": (m, (1, 9)),
        "rollaxis": (m, 1),
        "select": ([m > 2, m > 1], [m, m * 2], 0.5),
        "swapaxes": (m, 0, 1),
        "take": (m, i - 1, 1),
        "take_along_axis": (m, xp.asarray([[0, 1, 2]]), 0),
        "tile": (m, (2, 1)),
        "unpackbits": (i.astype("uint8"),),
        "unravel_index": (i, (2, 3)),
        "vecmat": (v, m),
        "where": (m > 1, m, v),
    }  # fmt: skip


def arguments(name: str, xp: Any) -> tuple[Any, ...]:
    matrices = (xp.asarray(MATRIX), xp.asarray(MATRIX) - 0.75)
    return sample(xp).get(name) or matrices[: max(1, len(ROWS[name].operands))]


def function(name: str, xp: Any) -> Any:
    for part in name.split("."):
        xp = getattr(xp, part)
    return xp


#: Functions whose result has a shape that depends on values: they cannot be traced.
UNTRACEABLE = [
    "argwhere",
    "bincount",
    "compress",
    "delete",
    "extract",
    "flatnonzero",
    "intersect1d",
    "nonzero",
    "repeat",
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


def program(name: str, xp: Any) -> str:
    """What JAX traces for the function; where it cannot trace it, what it gives."""
    leaves, structure = jax.tree.flatten(arguments(name, jnp))
    places = [place for place, leaf in enumerate(leaves) if isinstance(leaf, jax.Array)]

    def call(values: list[Any]) -> Any:
        filled = list(leaves)
        for place, value in zip(places, values, strict=True):
            filled[place] = value
        return jax.tree.map(lambda leaf: leaf, function(name, xp)(*jax.tree.unflatten(structure, filled)))

    values = [leaves[place] for place in places]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name in UNTRACEABLE:
            return str([(x.dtype, x.tolist()) for x in map(np.asarray, jax.tree.leaves(call(values)))])
        return re.sub("0x[0-9a-f]+", "", str(jax.make_jaxpr(call)(values)))


def test_every_function_gives_arrays_of_the_layer() -> None:
    for name in ("sum", "split", "linalg.eigh", "unique_all", "divmod", "broadcast_arrays", "histogram"):
        if name in ROWS:
            found = function(name, lnp)(*arguments(name, lnp))
            assert all(
                type(leaf) is lnp.Array
                for leaf in jax.tree.leaves(found, is_leaf=lambda leaf: type(leaf) is lnp.Array)
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
