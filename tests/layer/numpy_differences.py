"""The functions of the layer under the system "numpy", compared with NumPy's: the dtype for every pair of dtypes and scalars.

python tests/layer/numpy_differences.py    # writes docs/reference/layer/numpy.md
"""

from __future__ import annotations

import itertools
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jax
import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))
from layer_calls import ROWS, function

import jaxtyping_core.numpy as lnp
from jaxtyping_core import dtypes

TABLE = ROOT / "docs" / "reference" / "layer" / "numpy.md"
DTYPES = [
    *("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"),
    *("float16", "bfloat16", "float32", "float64", "complex64", "complex128"),
]
SCALARS: dict[str, Any] = {"int": 1, "float": 1.0, "complex": 1 + 0j}
Call = tuple[str, ...]  # a function and its operands

_JAX = "JAX returns int32 here, even with 64-bit types on"
_NO_PRODUCT = "ml_dtypes has no dot product for bfloat16; NumPy falls back to float32 or Python objects"
_NO_LOOP = "ml_dtypes has no loop for bfloat16; NumPy computes in float32 or float64"
_FLOAT = "JAX computes in floating point"

#: Why functions differ. Where one of several reasons holds, the first is named.
REASONS: dict[str, str] = {
    **dict.fromkeys(("searchsorted", "digitize"), _JAX),
    **dict.fromkeys(("dot", "inner", "vdot", "vecdot", "matmul", "tensordot"), _NO_PRODUCT),
    **dict.fromkeys(("convolve", "correlate", "polymul"), _NO_PRODUCT),
    **dict.fromkeys(("i0", "sinc", "degrees", "radians", "histogram_bin_edges", "polydiv"), _NO_LOOP),
    **dict.fromkeys(("reciprocal", "polyder"), f"{_FLOAT}; NumPy keeps integers"),
    "angle": "NumPy uses float64 for booleans and float16 for int8; the layer uses float16 for both",
    "histogram": "counts are floats in JAX, int64 in NumPy",
    "histogram2d": "counts are always float64 in NumPy",
    "ldexp": "NumPy uses float16 for Python scalars, and supports few dtypes of exponents",
    "linspace": "NumPy multiplies the ends by 1.0, which turns bfloat16 into float64",
    "poly": "NumPy turns half into double precision, and pairs of complex roots into real coefficients",
    **dict.fromkeys(
        ("quantile", "nanquantile", "percentile", "nanpercentile"),
        "NumPy returns elements if all quantiles are integers, and divides percentages in float64",
    ),
    "sort_complex": "the layer keeps the precision; NumPy widens some dtypes",
    "where": "NumPy uses `result_type`, which gives float64 for bfloat16 and a Python float; the layer promotes as in `x + y`",
}


def calls(name: str) -> Iterator[Call]:
    """The calls that are compared: of one operand, or of every pair in which not both are Python scalars."""
    row = ROWS[name]
    places = [operand.place for operand in row.operands]
    if name in PAIRED or (places == [0, 1] and not any(o.many for o in row.operands)):
        yield from (
            (name, a, b)
            for a, b in itertools.product([*DTYPES, *SCALARS], repeat=2)
            if not {a, b} <= SCALARS.keys()
        )
    elif places == [0] and not row.operands[0].many:
        yield from ((name, a) for a in DTYPES)


#: Functions of two operands whose places are not the first two, and how they are called.
PAIRED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "tensordot": lambda xp, a, b: xp.tensordot(a, b, 1),
    "concatenate": lambda xp, a, b: xp.concatenate([a, b]),
    "where": lambda xp, a, b: xp.where(np.ones(3, bool), a, b),
    "ldexp": lambda xp, a, b: xp.ldexp(a, b),
}
NAMES = [
    name
    for name, row in ROWS.items()
    if row.module == "jaxtyping_core.numpy" and hasattr(np, name) and row.operands
]


def answer(call: Call, xp: Any, operands: list[Any]) -> str | None:
    """The dtype of the (first) result of `xp`'s function; None where the call is refused."""
    name = call[0]
    try:
        out = PAIRED[name](xp, *operands) if name in PAIRED else function(name, xp)(*operands)
    except Exception:
        return None
    out = out[0] if isinstance(out, tuple | list) else out
    return str(out.dtype) if hasattr(out, "dtype") else type(out).__name__


def of_numpy(call: Call) -> str | None:
    return answer(call, np, [SCALARS.get(part, _ones(part)) for part in call[1:]])


def of_the_layer(call: Call, shape: tuple[int, ...] = (3,)) -> str | None:
    """The layer's answer under the system in force, of arrays of `shape`."""
    arrays = [part for part in call[1:] if part not in SCALARS]
    answers = []

    def traced(*values: Any) -> None:
        left = iter(values)
        answers.append(
            answer(call, lnp, [SCALARS[p] if p in SCALARS else lnp.asarray(next(left)) for p in call[1:]])
        )

    jax.eval_shape(traced, *[jax.ShapeDtypeStruct(shape, dtypes.numpy_dtype(part)) for part in arrays])
    return answers[0]


def _ones(part: str) -> Any:
    return None if part in SCALARS else np.ones(3, dtypes.numpy_dtype(part))


def differing(compared: Iterator[Call]) -> dict[Call, tuple[str, str]]:
    """The calls for which both have a dtype, and not the same one: ours, NumPy's."""
    different = {}
    with warnings.catch_warnings(), np.errstate(all="ignore"), jax.enable_x64(True), lnp.promotion("numpy"):
        warnings.simplefilter("ignore")
        for call in compared:
            theirs = of_numpy(call)
            ours = None if theirs is None else of_the_layer(call)
            if theirs is not None and ours is not None and ours != theirs:
                different[call] = ours, theirs
    return different


def text() -> str:
    """The table of differences."""
    every = [call for name in NAMES for call in calls(name)]
    differences = differing(iter(every))
    lines = [
        "# Differences from NumPy",
        "",
        "This page lists the functions of the [array layer](index.md) whose dtype differs from NumPy's under the system",
        "`numpy`, with 64-bit types on.",
        "",
        f"The functions that both libraries have were called with {len(DTYPES)} dtypes and the Python scalars, in all pairs where they",
        f"take two operands: {len(every):,} calls. Where both return an array, the dtype differs in {len(differences):,} calls.",
        "`tests/layer/numpy_differences.py` generates this page.",
        "",
        "| function | calls that differ | for example | layer | NumPy | reason |",
        "| --- | --: | --- | --- | --- | --- |",
    ]
    for name in sorted({call[0] for call in differences}):
        of_name = {call: pair for call, pair in differences.items() if call[0] == name}
        call, (ours, theirs) = next(iter(of_name.items()))
        lines.append(
            f"| `{name}` | {len(of_name)} | {', '.join(call[1:])} | {ours} | {theirs} | {REASONS[name]} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLE.write_text(text())
