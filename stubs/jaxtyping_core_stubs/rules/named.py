"""Names for the tables of one dtype: which dtype a function gives for every dtype, or for every join of dtypes.

Functions that agree wherever both accept an array share a table. A table has the name of the function below that it
agrees with, or that of the first function that was found to have it.
"""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import jax
import jax.numpy as jnp

from jaxtyping_core import dtypes

from .. import tables
from .claims import OPEN, Pair, Results

Table = dict[str, Pair]

#: The names of tables that much has -> the function that each is taken from.
WELL_KNOWN: dict[str, str] = {
    "inexact": "jax.numpy.sin",
    "mean": "jax.numpy.mean",
    "strong": "jax.numpy.max",
    "sum": "jax.numpy.sum",
    "cumsum": "jax.numpy.cumsum",
    "abs": "jax.numpy.abs",
    "real": "jax.numpy.real",
    "real_inexact": f"{__name__}.real_inexact",
    "relu": "jax.nn.relu",
    "elu": "jax.nn.elu",
    "nan_to_num": "jax.numpy.nan_to_num",
    "vector_norm": "jax.numpy.linalg.vector_norm",
    "complex_inexact": f"{__name__}.complex_inexact",
    "fft": "jax.numpy.fft.fft",
    "irfft": "jax.numpy.fft.irfft",
    "dct": "jax.scipy.fft.dct",
    "std": "jax.numpy.std",
}


def real_inexact(x: Any) -> Any:
    """Like the singular values of a matrix, with a dtype for every array."""
    return jnp.real(jnp.sin(x))


def complex_inexact(x: Any) -> Any:
    """Like the eigenvalues of a matrix, with a dtype for every array."""
    return jnp.sin(x) * 1j


#: The table of what JAX gives where a dtype is asked for.
ASKED = "asked"


def asked(node: str) -> Pair:
    """The dtype of an array that is made with that of an array of the dtype `node`, in both modes."""
    off, on = (_asked(node, x64) for x64 in (False, True))
    return off, on


def _asked(node: str, x64: bool) -> str:
    own = dtypes.default_dtype(dtypes.WEAK[node], x64=x64) if node in dtypes.WEAK else node
    with jax.enable_x64(x64), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that a 64-bit type is shrunk
        made = jax.eval_shape(lambda: jnp.zeros((), dtypes.numpy_dtype(own)))
    return str(made.dtype.name)


#: The table of what a dtype joins to with a Python number, where it does not matter with which.
NUMBER = "number"


def with_number(node: str) -> Pair:
    """The join of a dtype with any Python number; open where ints and floats, or bools, give something else."""
    pairs = {tables.binary("join")[node, other] for other in ("bool", "weak_int", "weak_float")}
    pair = pairs.pop() if len(pairs) == 1 else None
    return OPEN if pair is None else pair


_known: dict[str, Table] = {}
_names: dict[Results, str] = {}


def known() -> dict[str, Table]:
    """The tables by their names, as far as functions were looked at."""
    if not _known:
        for name, path in WELL_KNOWN.items():
            pairs = tables.unary(path)
            _known[name] = {node: pair for node, pair in pairs.items() if pair is not None}
        _known[ASKED] = {node: asked(node) for node in tables.nodes()}
        _known[NUMBER] = {node: with_number(node) for node in tables.nodes()}
    return _known


def learn(path: str, results: Results) -> None:
    """Give a name to the table of the function that is called `path`, or find the one that it shares."""
    if not results or results in _names:
        return
    table = {node: pair if has_classes(pair) else OPEN for node, pair in results}
    chosen = _shared(table)
    if chosen is None and _shared(
        table, but_for=RARE
    ):  # it is not worth a table for each of its answers there
        table[RARE] = OPEN
        chosen = _shared(table)
    chosen = chosen or _new_name(path)
    known()[chosen] = {**known().get(chosen, {}), **table}
    _names[results] = chosen


def has_classes(pair: Pair) -> bool:
    """Whether both are dtypes that are written down: keys of random numbers are not."""
    return set(pair) <= {*dtypes.DTYPES, *dtypes.WEAK}


#: A dtype so rare that tables which differ in it alone share another one, which leaves it open.
RARE = "weak_complex"


def _shared(table: Table, but_for: str = "") -> str | None:
    """The name of a table that agrees with `table` wherever both say something."""
    nodes = table.keys() - {but_for}
    agreeing = (
        name
        for name, other in known().items()
        if all(other.get(node, table[node]) == table[node] for node in nodes)
    )
    return next(agreeing, None)


def _new_name(path: str) -> str:
    parts = path.split(".")
    names = ("_".join(parts[-count:]) for count in range(1, len(parts) + 1))
    numbered = (f"{parts[-1]}_{number}" for number in itertools.count(2))
    return next(name for name in itertools.chain(names, numbered) if name not in known())


def name(results: Results) -> str:
    """The name of a table that was learnt."""
    return _names[results]
