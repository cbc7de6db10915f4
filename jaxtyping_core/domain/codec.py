"""Abstract arrays as JSON holds them.

What `decode` gets may come from a process that has read a program which is not to be trusted, or from a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .arrays import AbstractArray
from .dims import Dim
from .dtypes import closed


def encode(array: AbstractArray) -> dict[str, Any]:
    """An abstract array as JSON holds it."""
    return {
        "dtypes": None if array.dtypes is None else sorted(array.dtypes),
        "weak": array.weak,
        "shape": None if array.shape is None else list(array.shape),
    }


def decode(data: Mapping[str, Any]) -> AbstractArray:
    """The abstract array that `encode` made `data` of.

    Raises:
        LookupError, TypeError, ValueError: it made no such thing.
    """
    dtypes, weak, shape = data["dtypes"], data["weak"], data["shape"]
    if weak is not None and type(weak) is not bool:
        raise ValueError("weak is a bool or null")
    return AbstractArray(
        None if dtypes is None else closed(frozenset(map(_dtype, dtypes))),
        weak,
        None if shape is None else tuple(map(_dim, shape)),
    )


def _dtype(name: Any) -> str:
    if not isinstance(name, str):
        raise TypeError("a dtype is a string")
    return name


def _dim(dim: Any) -> Dim:
    if dim is None or type(dim) in (int, str):
        checked: Dim = dim
        return checked
    raise ValueError("a dim is a number, a string or null")
