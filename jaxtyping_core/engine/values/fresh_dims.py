"""Items of sequences of unknown length, one after the other: what is not known of one is not what is not known of the next."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from ...domain.arrays import TOP
from ...sampling.symbols import UNKNOWN_DIM
from . import arrays
from .items import Items
from .unknowns import AbstractScalar, AbstractSequence, NumpyArray, is_dim, is_scalar

NUMBERED = re.compile(rf"{UNKNOWN_DIM}(\d+)")


def next_of(many: AbstractSequence | Items) -> Any:
    """An item: sizes that differ from item to item get symbols of their own. Containers stay, for they may be changed."""
    return _renewed(many.item, many.since, {})


def first_varying(columns: list[Items]) -> int:
    """`Many.since` for tuples of the items of several sequences, some of which are of unknown length."""
    return min((c.since for c in columns if c.listed is None and _is_renewed(c.item)), default=0)


def _is_renewed(value: Any) -> bool:
    if type(value) is tuple:
        return any(map(_is_renewed, value))
    return isinstance(value, (AbstractScalar, NumpyArray)) or arrays.is_array(value)


def _renewed(value: Any, since: int, new: dict[str, Any]) -> Any:
    if is_scalar(value):
        return value if value.kind is not int or _is_old_number(value, since) else AbstractScalar(int)
    if isinstance(value, NumpyArray):
        return NumpyArray(value.np_dtype, value.dims)
    if type(value) is tuple:
        return tuple(_renewed(item, since, new) for item in value)
    if not arrays.is_array(value) or not any(is_dim(dim) for dim in value.shape):
        return value
    known = arrays.known_of(value) or TOP
    return arrays.of_known(replace(known, shape=tuple(_size(dim, since, new) for dim in known.shape or ())))


def _is_old_number(number: AbstractScalar, since: int) -> bool:
    used = number.size is not None or number.derived is not None
    return used and _is_old(arrays.size_of(number), since)


def _size(dim: Any, since: int, new: dict[str, Any]) -> Any:
    if not is_dim(dim) or _is_old(dim, since):
        return dim
    return new.setdefault(str(dim), arrays.unknown_size())


def _is_old(dim: Any, since: int) -> bool:
    """Whether a size is made of declared ones, and of unknown ones from before the items were made."""
    return all(int(number) <= since for number in NUMBERED.findall(str(dim)))
