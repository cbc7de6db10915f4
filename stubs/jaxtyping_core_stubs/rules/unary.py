"""The tables of one dtype, each by a function that it was found in.

A table says which dtype a function of one array gives for every dtype. Functions that agree wherever both accept an
array share one; the first of them is its source.
"""

from __future__ import annotations

#: The name of a table -> the function that it is taken from.
UNARY: dict[str, str] = {
    "inexact": "jax.numpy.sin",
    "sum": "jax.numpy.sum",
    "real": "jax.numpy.real",
    "abs": "jax.numpy.abs",
    "round": "jax.numpy.round",
    "mean": "jax.numpy.mean",
}
