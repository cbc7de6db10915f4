"""The numbers of Python that `item` and `tolist` make of arrays: ``x.item()`` of a float32 or a bfloat16 is a float."""

from __future__ import annotations

import math
from typing import Any

from . import arrays, heap, numbers
from .unknowns import UNKNOWN, AbstractScalar, AbstractSequence

#: The methods of arrays that need their numbers.
CONVERTING = ("item", "tolist")
#: The types of numbers by the beginnings of names of dtypes.
KINDS = {"bool": bool, "int": int, "uint": int, "float": float, "bfloat": float, "complex": complex}
#: Items of a list that are listed one by one.
MOST = 1000


def kind_of(dtype: str | None) -> type | None:
    """The type of Python's numbers for a dtype; None where that is not known, or is one of keys."""
    return next((kind for name, kind in KINDS.items() if dtype is not None and dtype.startswith(name)), None)


def index_of(value: Any) -> Any:
    """The int that an array of one int is to Python; None for everything else."""
    known = arrays.known_of(value)
    if known is None or known.shape != () or kind_of(known.dtype) is not int:
        return None
    held = numbers.of(value)
    return AbstractScalar(int) if held is None else int(held)


def converted(value: Any, name: str) -> Any:
    """What ``value.item()`` or ``value.tolist()`` gives."""
    known = arrays.known_of(value)
    kind = None if known is None else kind_of(known.dtype)
    if known is None or kind is None:
        return UNKNOWN
    held = numbers.of(value)
    if held is not None and held.size <= MOST:
        return heap.made(held.tolist()) if name == "tolist" else held.item() if held.size == 1 else UNKNOWN
    if name == "item":
        return AbstractScalar(kind)
    return UNKNOWN if known.shape is None else _listed(known.shape, kind)


def _listed(dims: tuple[Any, ...], kind: type) -> Any:
    if not dims:
        return AbstractScalar(kind)
    size, are_known = dims[0], all(type(dim) is int for dim in dims)
    if not are_known or math.prod(dims) > MOST:
        return AbstractSequence(_listed(dims[1:], kind), some=type(size) is int and size > 0)
    return heap.made([_listed(dims[1:], kind) for _ in range(size)])
