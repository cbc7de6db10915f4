"""Iterating over values of the program."""

from __future__ import annotations

import collections
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...evaluation.protocol import UNPACKED
from ..libraries import registry
from ..libraries.calls import real_code
from ..values import arrays, heap, numbers
from ..values.callables import Cursor, Holder, Namespace
from ..values.dispatch import Array, ByKind, Dim
from ..values.fresh_dims import next_of
from ..values.items import Items
from ..values.joins import join_all
from ..values.records import Record, visible
from ..values.unknowns import (
    UNKNOWN,
    AbstractScalar,
    AbstractSequence,
    Endless,
    NumpyArray,
    Partial,
    Unknown,
    has_others,
    is_dim,
    is_many,
    is_scalar,
    is_unknown,
)
from .operators import get_item

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: Longer iterables are not taken apart.
MOST_ITEMS = 2000
#: Rows of an array that are looked at one by one.
MOST_ROWS = 64


def entries_of(value: Any) -> dict[Any, Any] | None:
    """What ``**`` takes of a dict, or of one of a library that may not be changed; None for everything else."""
    if isinstance(value, dict):
        return value
    if isinstance(value, Record):
        return visible(value)
    return dict(value) if registry.class_path(value) in registry.frozen_dicts() else None


def sizes_at(key: Any) -> Any:
    """``x.shape[key]`` of what is not known: whatever has a shape has one of ints."""
    several = isinstance(key, slice) or (is_unknown(key) and not is_scalar(key))
    return UNKNOWN if several else AbstractScalar(int)


def items_of(interpreter: Interpreter, value: Any) -> Items:
    """The items of an iterable; what they have in common where their number is not known, or large."""
    return _ITEMS.find(value)(interpreter, value)


def _of_any_number(item: Any, some: bool = False, since: int = 0) -> Items:
    return Items(None, AbstractSequence(item, some, since=since))


def _of_object(interpreter: Interpreter, value: Any) -> Items:
    if (
        type(value) in interpreter.classes
        and hasattr(type(value), "__iter__")
        and not isinstance(value, tuple)
    ):
        if type(value).__iter__ in _PLAIN:
            return Items(list(value))
        made = interpreter.call(type(value).__iter__, [value], {})
        return _of_any_number(UNKNOWN) if made is value else items_of(interpreter, made)
    items = []
    try:
        with real_code.asking(value):
            for item in value:
                items.append(item)
                interpreter.budget.step()
                if len(items) > MOST_ITEMS:
                    return _of_any_number(join_all(items) if type(value) in (list, tuple) else UNKNOWN, True)
    except Exception as error:  # what real code raises is what the program would meet
        interpreter.failed(error)
        return _of_any_number(UNKNOWN)
    return Items(items)


_PLAIN = (list.__iter__, tuple.__iter__, dict.__iter__)
_ITEMS: ByKind[Callable[[Interpreter, Any], Items]] = ByKind(_of_object)


@_ITEMS.of(Unknown)
def _of_unknown(interpreter: Interpreter, value: Unknown) -> Items:
    return _of_any_number(UNKNOWN)


@_ITEMS.of(AbstractSequence)
def _of_many(interpreter: Interpreter, value: AbstractSequence) -> Items:
    return _of_any_number(UNKNOWN, value.some) if value.kind is dict else Items(None, value)


@_ITEMS.of(Endless)
def _of_endless(interpreter: Interpreter, value: Endless) -> Items:
    value.fresh = None
    return Items(None, value)


@_ITEMS.of(dict)
def _of_dict(interpreter: Interpreter, value: dict[Any, Any]) -> Items:
    return _of_any_number(UNKNOWN, True) if has_others(value) else _of_object(interpreter, value)


@_ITEMS.of(Record)
def _of_record(interpreter: Interpreter, value: Record) -> Items:
    return Items(list(visible(value)))


@_ITEMS.of(AbstractScalar)
def _of_number(interpreter: Interpreter, value: AbstractScalar) -> Items:
    # An empty text gives nothing that a program goes on with.
    return _of_any_number(AbstractScalar(str), True) if value.kind is str else _of_any_number(UNKNOWN)


@_ITEMS.of(Namespace)
def _of_namespace(interpreter: Interpreter, value: Namespace) -> Items:
    """What stands for an object of a library: it has what it iterates over, or what gives that."""
    iterated = value.names.get("__iter__", AbstractSequence(UNKNOWN))
    if not is_unknown(iterated):
        iterated = interpreter.call(iterated, [], {})
    return Items(None, iterated if is_many(iterated) else AbstractSequence(UNKNOWN))


@_ITEMS.of(Holder)
def _of_holder(interpreter: Interpreter, value: Holder) -> Items:
    rows = items_of(interpreter, value.array)
    if rows.listed is not None:
        return Items([*map(value.like, rows.listed)])
    return _of_any_number(value.like(rows.item), rows.some)


@_ITEMS.of(range)
def _of_range(interpreter: Interpreter, value: range) -> Items:
    return (
        _of_any_number(AbstractScalar(int), True)
        if len(value) > MOST_ITEMS
        else _of_object(interpreter, value)
    )


@_ITEMS.of(Cursor)
def _of_cursor(interpreter: Interpreter, value: Cursor) -> Items:
    rest = value.items[value.position :]
    value.go_to(len(value.items))
    return Items(rest)


@_ITEMS.of(Array, Partial, NumpyArray)
def _of_array(interpreter: Interpreter, value: Any) -> Items:
    """The rows of an array."""
    known = arrays.known_of(value)
    dims = value.dims if known is None else known.shape
    if not dims:
        return _of_any_number(UNKNOWN)
    count = dims[0]
    if isinstance(count, int) and count == 0:  # there is no first row to look at
        return Items([])
    since = arrays.unknown_sizes()
    row = interpreter.call(get_item, [value, 0], {})
    of_keys = known is not None and arrays.may_be_keys(known)
    if isinstance(count, int) and count <= MOST_ROWS:
        # Rows of the same dtype and shape are alike, but no two keys are, and each row has numbers of its own.
        if of_keys or numbers.of(value) is not None:
            return Items([row, *(interpreter.call(get_item, [value, i], {}) for i in range(1, count))])
        of_row = arrays.known_of(row)
        return Items([row, *[row if of_row is None else arrays.of_known(of_row)] * (count - 1)])
    if of_keys and (of_any := arrays.known_of(row)) is not None:
        row = arrays.of_known(of_any)
    return _of_any_number(row, isinstance(count, int) and count > 0, since)


def unpacked(interpreter: Interpreter, value: Any, count: int, star: int | None) -> list[Any]:
    """What `count` targets are given, of which the one at `star` takes the rest."""
    several = items_of(interpreter, value)
    items = several.listed
    _compare(interpreter, value, items or [], count, star)
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


def _compare(interpreter: Interpreter, value: Any, items: list[Any], targets: int, star: int | None) -> None:
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
        interpreter.refuse("shape", UNPACKED.format(value=spelled, count=count, targets=targets))
        if interpreter.context.sample is None:  # of sizes, of which another one may fit
            interpreter.failed(ValueError(f"{count} values to unpack, expected {targets}"))


def _is_size(value: Any) -> bool:
    return type(value) is int or is_dim(value) or (is_scalar(value, int))


def _spelled_size(size: Any) -> str:
    return "?" if is_unknown(size) else str(size)


def length(interpreter: Interpreter, value: Any) -> Any:
    """``len(value)``."""
    return _LENGTHS.find(value)(interpreter, value)


def _length_of_object(interpreter: Interpreter, value: Any) -> Any:
    if type(value) in interpreter.classes:
        method = getattr(type(value), "__len__", None)
        return UNKNOWN if method is None else interpreter.call(method, [value], {})
    return len(value)


_LENGTHS: ByKind[Callable[[Interpreter, Any], Any]] = ByKind(_length_of_object)


@_LENGTHS.of(Unknown)
def _any_length(interpreter: Interpreter, value: Unknown) -> Any:
    return AbstractScalar(int)


@_LENGTHS.of(Namespace)
def _length_of_stand_in(interpreter: Interpreter, value: Namespace) -> Any:
    return AbstractScalar(int)


@_LENGTHS.of(Holder)
def _length_of_holder(interpreter: Interpreter, value: Holder) -> Any:
    return length(interpreter, value.array)


@_LENGTHS.of(dict)
def _length_of_dict(interpreter: Interpreter, value: dict[Any, Any]) -> Any:
    return AbstractScalar(int) if has_others(value) else _length_of_object(interpreter, value)


@_LENGTHS.of(Record)
def _length_of_record(interpreter: Interpreter, value: Record) -> Any:
    return len(visible(value))


@_LENGTHS.of(Cursor, Dim)
def _no_length(interpreter: Interpreter, value: Any) -> Any:
    return UNKNOWN


@_LENGTHS.of(Partial)
def _length_of_partial(interpreter: Interpreter, value: Partial) -> Any:
    return _first_of(value.dims)


@_LENGTHS.of(NumpyArray)
def _length_of_numpy(interpreter: Interpreter, value: NumpyArray) -> Any:
    return _first_of(arrays.sizes_of(value))


@_LENGTHS.of(Array)
def _length_of_array(interpreter: Interpreter, value: Any) -> Any:
    return _first_of(value.shape)


def _first_of(dims: tuple[Any, ...] | None) -> Any:
    if not dims:
        return AbstractScalar(int)
    return arrays.unknown_size() if dims[0] is None else dims[0]


def listed(interpreter: Interpreter, value: Any, kind: Any) -> Any:
    """``list(value)`` and its like."""
    several = items_of(interpreter, value)
    items = several.listed
    if items is None:
        is_kind = kind in (list, tuple, set, collections.deque)
        return AbstractSequence(several.item, several.some, kind, several.since) if is_kind else UNKNOWN
    if kind in (set, frozenset) and arrays.holds_unknown(items):
        return UNKNOWN
    return heap.made(collections.deque(items) if kind is collections.deque else kind(items))
