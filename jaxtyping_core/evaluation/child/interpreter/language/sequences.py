"""Iterating over values of the program."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ....protocol import UNPACKED
from ..values import arrays
from ..values.callables import Cursor, Namespace
from ..values.joins import join_all
from ..values.renewal import next_of
from ..values.unknowns import UNKNOWN, Endless, Many, Number, NumpyArray, Partial, Unknown, is_dim
from .operators import get_item

if TYPE_CHECKING:
    from ..machine import Machine

#: Longer iterables are not taken apart.
MOST_ITEMS = 2000
#: Where the dict is defined that may not be changed.
FROZEN_DICT = ("flax.core.frozen_dict", "FrozenDict")
#: Rows of an array that are looked at one by one.
MOST_ROWS = 64


def entries_of(value: Any) -> dict[Any, Any] | None:
    """What ``**`` takes of a dict, or of the one that Flax's functions give; None for everything else."""
    if isinstance(value, dict):
        return value
    cls = type(value)
    return dict(value) if (cls.__module__, cls.__name__) == FROZEN_DICT else None


def sizes_at(key: Any) -> Any:
    """``x.shape[key]`` of what is not known: whatever has a shape has one of ints."""
    several = isinstance(key, slice) or (isinstance(key, Unknown) and not isinstance(key, Number))
    return UNKNOWN if several else Number(int)


def items_of(machine: Machine, value: Any) -> list[Any] | Many:
    """The items of an iterable; what they have in common where their number is not known, or large."""
    if isinstance(value, Endless):
        value.fresh = None
        return value
    if isinstance(value, Many):
        return Many(UNKNOWN, value.some) if value.kind is dict else value
    if isinstance(value, Namespace):
        common: Many = value.names.get("__iter__", Many(UNKNOWN))
        return common
    if isinstance(value, Unknown) and not isinstance(value, NumpyArray):
        if isinstance(value, Number) and value.kind is str:
            return Many(Number(str), True)  # an empty text gives nothing that a program goes on with
        rows = rows_of(machine, value)
        return Many(UNKNOWN) if rows is None else rows
    if arrays.is_array(value) or isinstance(value, NumpyArray):
        rows = rows_of(machine, value)
        return Many(UNKNOWN) if rows is None else rows
    if isinstance(value, range) and len(value) > MOST_ITEMS:
        return Many(Number(int), True)
    if isinstance(value, Cursor):
        rest, value.position = value.items[value.position :], len(value.items)
        return rest
    if type(value) in machine.classes and hasattr(type(value), "__iter__") and not isinstance(value, tuple):
        if type(value).__iter__ in _PLAIN:
            return list(value)
        made = machine.call(type(value).__iter__, [value], {})
        return Many(UNKNOWN) if made is value else items_of(machine, made)
    items = []
    try:
        for item in value:
            items.append(item)
            machine.step()
            if len(items) > MOST_ITEMS:
                return Many(join_all(items) if type(value) in (list, tuple) else UNKNOWN, True)
    except Exception as error:  # what real code raises is what the program would meet
        machine.failed(error)
        return Many(UNKNOWN)
    return items


_PLAIN = (list.__iter__, tuple.__iter__, dict.__iter__)


def rows_of(machine: Machine, value: Any) -> list[Any] | Many | None:
    """The rows of an array; None if it has none that are known."""
    known = arrays.known_of(value)
    dims = value.dims if isinstance(value, NumpyArray) else None if known is None else known.shape
    if not dims:
        return None
    if type(dims[0]) is int and dims[0] == 0:  # there is no first row to look at
        return []
    since = arrays.unknown_sizes()
    row = machine.call(get_item, [value, 0], {})
    if type(dims[0]) is int and dims[0] <= MOST_ROWS:
        return [row] * dims[0]
    return Many(row, type(dims[0]) is int and dims[0] > 0, since=since)


def unpacked(machine: Machine, value: Any, count: int, star: int | None) -> list[Any]:
    """What `count` targets are given, of which the one at `star` takes the rest."""
    items = items_of(machine, value)
    _compare(machine, value, items, count, star)
    if isinstance(items, Many):
        parts = [next_of(items) for _ in range(count)]
        if star is not None:
            parts[star] = Many(items.item, since=items.since)
        return parts
    if star is None:
        return items if len(items) == count else [UNKNOWN] * count
    after = count - star - 1
    if len(items) < count - 1:
        return [UNKNOWN] * count
    return [*items[:star], items[star : len(items) - after], *items[len(items) - after :]]


def _compare(machine: Machine, value: Any, items: list[Any] | Many, targets: int, star: int | None) -> None:
    """Report that an array, a list of arrays or a shape is unpacked to another number of targets."""
    if arrays.is_array(value) and value.shape:
        count, spelled = value.shape[0], str(arrays.spelled_array(value))
    elif isinstance(items, list) and items and all(map(arrays.is_array, items)):
        count, spelled = len(items), f"[{', '.join(str(arrays.spelled_array(item)) for item in items)}]"
    elif type(value) is tuple and all(map(_is_size, value)):
        count, spelled = len(value), f"({', '.join(map(_spelled_size, value))}{',' * (len(value) == 1)})"
    else:
        return
    if type(count) is int and (count != targets if star is None else count < targets - 1):
        machine.refuse("shape", UNPACKED.format(value=spelled, count=count, targets=targets))
        if machine.context.sample is None:  # of sizes, of which another one may fit
            machine.failed(ValueError(f"{count} values to unpack, expected {targets}"))


def _is_size(value: Any) -> bool:
    return type(value) is int or is_dim(value) or (isinstance(value, Number) and value.kind is int)


def _spelled_size(size: Any) -> str:
    return "?" if isinstance(size, Unknown) else str(size)


def length(machine: Machine, value: Any) -> Any:
    """``len(value)``."""
    if isinstance(value, (Partial, NumpyArray)) or arrays.is_array(value):
        dims = (
            arrays.sizes_of(value)
            if isinstance(value, NumpyArray)
            else value.dims
            if isinstance(value, Partial)
            else value.shape
        )
        if dims and dims[0] is None:
            return arrays.unknown_size()
        return dims[0] if dims and dims[0] is not None else Number(int)
    if isinstance(value, Unknown):
        return Number(int)
    if isinstance(value, Cursor) or is_dim(value):
        return UNKNOWN
    if type(value) in machine.classes:
        method = getattr(type(value), "__len__", None)
        return UNKNOWN if method is None else machine.call(method, [value], {})
    return len(value)


def listed(machine: Machine, value: Any, kind: Callable[[Any], Any]) -> Any:
    """``list(value)`` and its like."""
    items = items_of(machine, value)
    if isinstance(items, Many):
        return Many(items.item, items.some, kind, items.since) if kind in (list, tuple, set) else UNKNOWN
    if kind in (set, frozenset) and arrays.holds_unknown(items):
        return UNKNOWN
    return collections.deque(items) if kind is collections.deque else kind(items)
