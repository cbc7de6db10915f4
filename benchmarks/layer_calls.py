"""A call of every function of the array layer: what benchmarks time and tests compare with ``jax.numpy``."""

from __future__ import annotations

from typing import Any

import numpy as np

import jaxtyping_core.numpy as lnp
from jaxtyping_core.numpy import _extensions
from jaxtyping_core.numpy._rows import Row
from jaxtyping_core.numpy._table import TABLE

FUNCTIONS = {module.__name__: module.FUNCTIONS for module in (lnp, lnp.linalg, lnp.fft)}
ROWS: dict[str, Row] = {
    f"{row.module.removeprefix('jaxtyping_core.numpy')}.{row.name}".strip("."): row
    for row in (*TABLE, *_extensions.LINALG, *_extensions.FFT)
    if row.name in FUNCTIONS[row.module]
}

MATRIX = [[4.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 2.0]]
VECTOR = [0.5, -0.25, 0.75]


def sample(xp: Any) -> dict[str, tuple[Any, ...]]:
    """Arguments for the functions that do not take one or two matrices."""
    m, v, i = xp.asarray(MATRIX), xp.asarray(VECTOR), xp.asarray([3, 1, 2])
    return {
        **dict.fromkeys(("acosh", "arccosh"), (m + 1,)),
        **dict.fromkeys(("asin", "acos", "atanh", "arcsin", "arccos", "arctanh"), (v,)),
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
        **dict.fromkeys(("bartlett", "blackman", "hamming", "hanning", "diag_indices"), (5,)),
        **dict.fromkeys(("poly", "polyder", "roots"), (v,)),
        **dict.fromkeys(("histogram", "histogram_bin_edges"), (m, 4)),
        "block": ([m, m],),
        "choose": (xp.asarray([0, 1, 0]), [v, v * 2]),
        "gradient": (m,),
        "histogram2d": (v, v, 3),
        "histogramdd": (m, 3),
        "ix_": (i, i),
        "kaiser": (5, 1.5),
        "ldexp": (v, i),
        "pad": (m, 1),
        "polydiv": (v, v + 1),
        "polyfit": (v, v + 1, 1),
        "ravel_multi_index": ((i, i - 1), (9, 9)),
        "top_k": (v, 2),
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
