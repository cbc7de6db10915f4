"""The symbols in the sizes of a call, and those that stand in for what is unknown of it."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace

from ..domain.expressions import FUNCTIONS
from ..domain.values import Array, Scalar, Size, Value, inside, transform

SYMBOL = re.compile(r"[A-Za-z_]\w*")
UNKNOWN = "unknown_"  # prefix of every fresh symbol
UNKNOWN_DIM = f"{UNKNOWN}dim_"  # ... that stands for an unknown dim
UNKNOWN_INT = f"{UNKNOWN}int_"  # ... that stands for a Python int of unknown value


def symbols_of(value: Value) -> list[str]:
    """The symbols in the dims in `value`, in order of appearance."""
    symbols: dict[str, None] = {}
    for part in inside(value):
        dims = part.shape or () if isinstance(part, Array) else ()
        for dim in (part.expression,) if isinstance(part, Size) else dims:
            if isinstance(dim, str):
                symbols.update(dict.fromkeys(s for s in SYMBOL.findall(dim) if s not in FUNCTIONS))
    return list(symbols)


def arrays_in(value: Value) -> list[Array]:
    """The arrays in `value`, in order of appearance."""
    return [part for part in inside(value) if isinstance(part, Array)]


def has_unknown(value: Value) -> bool:
    """Whether a part is not known: an error may then be the unknown part's."""
    if any(isinstance(part, Scalar) for part in inside(value)):
        return True
    return any(
        array.dtype is None or array.shape is None or None in array.shape for array in arrays_in(value)
    )


def name_unknowns(value: Value, ints: bool = False) -> Value:
    """`value` with a fresh symbol for every unknown dim and, if `ints`, for every unknown Python int."""
    counter = itertools.count()

    def change(part: Value) -> Value:
        if isinstance(part, Array) and part.shape is not None:
            dims = (f"{UNKNOWN_DIM}{next(counter)}" if dim is None else dim for dim in part.shape)
            return replace(part, shape=tuple(dims))
        return Size(f"{UNKNOWN_INT}{next(counter)}") if ints and part == Scalar("int") else part

    return transform(value, change)
