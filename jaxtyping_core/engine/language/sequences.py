"""Iterating over values of the program."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...evaluation.protocol import UNPACKED
from ..libraries import real_code, registry
from ..values import arrays, heap
from ..values.callables import Cursor, Namespace
from ..values.dispatch import Array, ByKind, Dim
from ..values.fresh_dims import next_of
from ..values.items import Items
from ..values.joins import join_all
from ..values.unknowns import (
    UNKNOWN,
    Endless,
    Many,
    Number,
    NumpyArray,
    Partial,
    Unknown,
    is_dim,
    is_scalar,
    is_unknown,
)
from .operators import get_item

if TYPE_CHECKING:
    from ..interpreter import Machine

#: Longer iterables are not taken apart.
MOST_ITEMS = 2000
#: Rows of an array that are looked at one by one.
MOST_ROWS = 64


def entries_of(value: Any) -> dict[Any, Any] | None:
    """What ``**`` takes of a dict, or of one of a library that may not be changed; None for everything else."""
    if isinstance(value, dict):
        return value
    return dict(value) if registry.class_path(value) in registry.frozen_dicts() else None


def sizes_at(key: Any) -> Any:
    """``x.shape[key]`` of what is not known: whatever has a shape has one of ints."""
    several = isinstance(key, slice) or (is_unknown(key) and not is_scalar(key))
    return UNKNOWN if several else Number(int)


def items_of(machine: Machine, value: Any) -> Items:
    """The items of an iterable; what they have in common where their number is not known, or large."""
    return _ITEMS.find(value)(machine, value)


def _of_any_number(item: Any, some: bool = False, since: int = 0) -> Items:
    return Items(None, Many(item, some, since=since))


def _of_object(machine: Machine, value: Any) -> Items:
    if type(value) in machine.classes and hasattr(type(value), "__iter__") and not isinstance(value, tuple):
        if type(value).__iter__ in _PLAIN:
            return Items(list(value))
        made = machine.call(type(value).__iter__, [value], {})
        return _of_any_number(UNKNOWN) if made is value else items_of(machine, made)
    items = []
    try:
        with real_code.asking(value):
            for item in value:
                items.append(item)
                machine.budget.step()
                if len(items) > MOST_ITEMS:
                    return _of_any_number(join_all(items) if type(value) in (list, tuple) else UNKNOWN, True)
    except Exception as error:  # what real code raises is what the program would meet
        machine.failed(error)
        return _of_any_number(UNKNOWN)
    return Items(items)


_PLAIN = (list.__iter__, tuple.__iter__, dict.__iter__)
_ITEMS: ByKind[Callable[[Machine, Any], Items]] = ByKind(_of_object)


@_ITEMS.of(Unknown)
def _of_unknown(machine: Machine, value: Unknown) -> Items:
    return _of_any_number(UNKNOWN)


@_ITEMS.of(Many)
def _of_many(machine: Machine, value: Many) -> Items:
    return _of_any_number(UNKNOWN, value.some) if value.kind is dict else Items(None, value)


@_ITEMS.of(Endless)
def _of_endless(machine: Machine, value: Endless) -> Items:
    value.fresh = None
    return Items(None, value)


@_ITEMS.of(Number)
def _of_number(machine: Machine, value: Number) -> Items:
    # An empty text gives nothing that a program goes on with.
    return _of_any_number(Number(str), True) if value.kind is str else _of_any_number(UNKNOWN)


@_ITEMS.of(Namespace)
def _of_namespace(machine: Machine, value: Namespace) -> Items:
    return Items(None, value.names.get("__iter__", Many(UNKNOWN)))


@_ITEMS.of(range)
def _of_range(machine: Machine, value: range) -> Items:
    return _of_any_number(Number(int), True) if len(value) > MOST_ITEMS else _of_object(machine, value)


@_ITEMS.of(Cursor)
def _of_cursor(machine: Machine, value: Cursor) -> Items:
    rest = value.items[value.position :]
    value.go_to(len(value.items))
    return Items(rest)


@_ITEMS.of(Array, Partial, NumpyArray)
def _of_array(machine: Machine, value: Any) -> Items:
    """The rows of an array."""
    known = arrays.known_of(value)
    dims = value.dims if known is None else known.shape
    if not dims:
        return _of_any_number(UNKNOWN)
    count = dims[0]
    if isinstance(count, int) and count == 0:  # there is no first row to look at
        return Items([])
    since = arrays.unknown_sizes()
    row = machine.call(get_item, [value, 0], {})
    if isinstance(count, int) and count <= MOST_ROWS:
        return Items([row] * count)
    return _of_any_number(row, isinstance(count, int) and count > 0, since)


def unpacked(machine: Machine, value: Any, count: int, star: int | None) -> list[Any]:
    """What `count` targets are given, of which the one at `star` takes the rest."""
    several = items_of(machine, value)
    items = several.listed
    _compare(machine, value, items or [], count, star)
    if items is None:
        parts = [next_of(several) for _ in range(count)]
        if star is not None:
            parts[star] = several.as_many(some=False)
        return parts
    if star is None:
        return items if len(items) == count else [UNKNOWN] * count
    after = count - star - 1
    if len(items) < count - 1:
        return [UNKNOWN] * count
    return [*items[:star], items[star : len(items) - after], *items[len(items) - after :]]


def _compare(machine: Machine, value: Any, items: list[Any], targets: int, star: int | None) -> None:
    """Report that an array, a list of arrays or a shape is unpacked to another number of targets."""
    if arrays.is_array(value) and value.shape:
        count, spelled = value.shape[0], str(arrays.spelled_array(value))
    elif items and all(map(arrays.is_array, items)):
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
    return type(value) is int or is_dim(value) or (is_scalar(value, int))


def _spelled_size(size: Any) -> str:
    return "?" if is_unknown(size) else str(size)


def length(machine: Machine, value: Any) -> Any:
    """``len(value)``."""
    return _LENGTHS.find(value)(machine, value)


def _length_of_object(machine: Machine, value: Any) -> Any:
    if type(value) in machine.classes:
        method = getattr(type(value), "__len__", None)
        return UNKNOWN if method is None else machine.call(method, [value], {})
    return len(value)


_LENGTHS: ByKind[Callable[[Machine, Any], Any]] = ByKind(_length_of_object)


@_LENGTHS.of(Unknown)
def _any_length(machine: Machine, value: Unknown) -> Any:
    return Number(int)


@_LENGTHS.of(Cursor, Dim)
def _no_length(machine: Machine, value: Any) -> Any:
    return UNKNOWN


@_LENGTHS.of(Partial)
def _length_of_partial(machine: Machine, value: Partial) -> Any:
    return _first_of(value.dims)


@_LENGTHS.of(NumpyArray)
def _length_of_numpy(machine: Machine, value: NumpyArray) -> Any:
    return _first_of(arrays.sizes_of(value))


@_LENGTHS.of(Array)
def _length_of_array(machine: Machine, value: Any) -> Any:
    return _first_of(value.shape)


def _first_of(dims: tuple[Any, ...] | None) -> Any:
    if not dims:
        return Number(int)
    return arrays.unknown_size() if dims[0] is None else dims[0]


def listed(machine: Machine, value: Any, kind: Any) -> Any:
    """``list(value)`` and its like."""
    several = items_of(machine, value)
    items = several.listed
    if items is None:
        is_kind = kind in (list, tuple, set)
        return Many(several.item, several.some, kind, several.since) if is_kind else UNKNOWN
    if kind in (set, frozenset) and arrays.holds_unknown(items):
        return UNKNOWN
    return heap.made(collections.deque(items) if kind is collections.deque else kind(items))
