"""What two values have in common, of which each may be the right one."""

from __future__ import annotations

import collections
import functools
import math
import types
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

import jax
import numpy as np

from ...domain import arrays as domain
from ...domain.arrays import AbstractArray
from ...domain.dims import equal, join_shapes
from ...domain.values import PYTHON_NUMBERS
from ...identity import identity
from ..libraries import registry
from . import arrays, data_objects, heap, library_functions, numbers
from .aliases import is_plain_container, tie
from .callables import Holder
from .records import Record, fields_of, made
from .sameness import DEEPEST, same
from .unknowns import (
    UNKNOWN,
    AbstractScalar,
    AbstractSequence,
    ArrayLike,
    Either,
    Nullable,
    NumpyArray,
    PureExternal,
    is_dim,
    is_many,
    is_scalar,
    is_unknown,
    without_none,
)

#: While states are merged, the pairs of objects that were joined, by their ids, with what that gave.
_shared: ContextVar[dict[tuple[int, int], tuple[Any, Any, Any]] | None] = ContextVar("shared", default=None)
_all_ways: ContextVar[bool] = ContextVar("all_ways", default=False)
NUMBERS = (*PYTHON_NUMBERS, str)
#: Functions of which one may be called, and how many at most; classes are none.
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, functools.partial, np.ufunc)
MOST_FUNCTIONS = 12


def join(first: Any, second: Any, depth: int = 0) -> Any:
    """A value that describes both."""
    if first is second:
        return first
    if first is UNKNOWN or second is UNKNOWN or depth > DEEPEST:
        return UNKNOWN
    if first is None or second is None or type(first) is Nullable or type(second) is Nullable:
        return _of_nullable(first, second, depth)
    left, right = arrays.known_of(first), arrays.known_of(second)
    if left is not None and right is not None:
        return _of_arrays(first, second, left, right)
    if left is not None or right is not None or isinstance(first, ArrayLike) or isinstance(second, ArrayLike):
        return _mixed(first, second)
    if isinstance(first, (AbstractScalar, *NUMBERS)) and isinstance(second, (AbstractScalar, *NUMBERS)):
        return _of_numbers(first, second)
    if is_dim(first) or is_dim(second):
        return _of_sizes(first, second)
    if is_many(first) or is_many(second):
        return tie(_of_many(first, second, depth), first, second)
    if isinstance(first, Holder) and type(first) is type(second):
        return first.like(join(first.array, second.array))
    if isinstance(first, Either) or isinstance(second, Either):
        return _either(first, second)
    if is_unknown(first) or is_unknown(second):
        return first if same(first, second) else _of_numpy(first, second)
    return _joined_once(first, second, depth)


def join_within(first: Any, second: Any) -> Any:
    """`join` of two containers for what it holds: a container of their kind is dropped after that, and tied to none."""
    joined = UNKNOWN
    if _shared.get() is None and type(first) is type(second) and is_plain_container(first):
        joined = _of_objects(first, second, 0)
    return joined if type(joined) is type(first) else join(first, second)


def widen(before: Any, now: Any) -> Any:
    """A value that describes both, for the next round of a loop: of arrays the widened one, of all else nothing is known."""
    left, right = (arrays.known_of(without_none(value)) for value in (before, now))
    if left is None or right is None:
        return UNKNOWN
    widened = arrays.of_known(domain.widen(left, right))
    return Nullable(widened) if Nullable in (type(before), type(now)) else widened


@contextmanager
def preserving_aliases() -> Iterator[None]:
    """What is joined within, and was one object on each way, is one object after them, too."""
    token = _shared.set({})
    try:
        yield
    finally:
        _shared.reset(token)


def _joined_once(first: Any, second: Any, depth: int) -> Any:
    known = _shared.get()
    if known is None:
        return _of_pair(first, second, depth)
    key = (identity(first), identity(second))
    if key not in known:  # the objects are kept, so that no others get their ids
        known[key] = (first, second, _of_pair(first, second, depth))
    return known[key][2]


def _of_pair(first: Any, second: Any, depth: int) -> Any:
    joined = _of_objects(first, second, depth)
    if joined is UNKNOWN:
        joined = _either(first, second)
    elif joined is not first and joined is not second:
        heap.made(joined)
    return tie(joined, first, second)


def _either(first: Any, second: Any) -> Any:
    """One of the functions that two values are; unknown if one is no function, or if there are too many."""
    parts = [
        part
        for value in (first, second)
        for part in (value.functions if isinstance(value, Either) else [value])
    ]
    functions = {identity(part): part for part in parts}
    if len(functions) > MOST_FUNCTIONS or not all(map(_is_function, functions.values())):
        return UNKNOWN
    return (
        first
        if isinstance(first, Either) and len(functions) == len(first.functions)
        else Either((*functions.values(),))
    )


def _is_function(value: Any) -> bool:
    of_jax = callable(value) and type(value).__module__.partition(".")[0] in ("jax", "jaxlib")
    return isinstance(value, FUNCTIONS) or (of_jax and not isinstance(value, type))


def join_all(values: list[Any]) -> Any:
    """A value that describes all of at least one."""
    first, *others = values
    for second in others:
        first = join(first, second)
    return first


def join_ways(values: list[Any]) -> Any:
    """A value that describes what all ways through a part of the program give."""
    with of_all_ways():
        return join_all(values)


@contextmanager
def of_all_ways(are_all: bool = True) -> Iterator[None]:
    """What is joined within are all values that there are: of two dtypes, the array has one.

    Elsewhere the values may be results of samples: other samples might have other dtypes, so any is possible then.
    """
    token = _all_ways.set(are_all)
    try:
        yield
    finally:
        _all_ways.reset(token)


def _of_nullable(first: Any, second: Any, depth: int) -> Any:
    """None, or what the values are that are not None: unknown if that is an object, which both might be on one way."""
    values = [without_none(value) for value in (first, second) if value is not None]
    value = values[0] if len(values) == 1 else join(values[0], values[1], depth)
    if not _holds_no_objects(value):
        return UNKNOWN
    return next(
        (each for each in (first, second) if type(each) is Nullable and each.value is value), Nullable(value)
    )


def _holds_no_objects(value: Any) -> bool:
    """Whether a change of a value is no change of an object that something else has, too."""
    if type(value) is tuple:
        return all(map(_holds_no_objects, value))
    is_array = arrays.known_of(value) is not None or isinstance(value, (ArrayLike, NumpyArray))
    return is_array or is_scalar(value) or is_dim(value) or isinstance(value, (*NUMBERS, PureExternal))


def _of_arrays(first: Any, second: Any, known: AbstractArray, other: AbstractArray) -> Any:
    joined = known if known is other else domain.join(known, other)
    if known.dtypes != other.dtypes and not _all_ways.get():
        joined = replace(joined, dtypes=None)
    # Two keys are no one key, whatever they have in common, and other numbers are no numbers of the first.
    is_first = joined == known and not arrays.may_be_keys(known) and numbers.are_same(first, second)
    return first if is_first else arrays.of_known(joined)


def _mixed(first: Any, second: Any) -> Any:
    """An array of JAX or of NumPy, or a number: those start many a loop that goes on with JAX's arrays."""

    def as_array(value: Any) -> Any:
        if is_scalar(value) or type(value) in PYTHON_NUMBERS:
            return library_functions.as_arrays(value)
        if isinstance(value, np.ndarray) and value.dtype != object:
            value = NumpyArray(value.dtype, value.shape)
        return (
            value.array
            if isinstance(value, ArrayLike)
            else arrays.of_numpy(value)
            if isinstance(value, NumpyArray)
            else value
        )

    ones = [as_array(value) for value in (first, second)]
    if any(arrays.known_of(value) is None for value in ones):
        return UNKNOWN
    return ArrayLike(join(*ones))


def _of_numbers(first: Any, second: Any) -> Any:
    if (
        not is_scalar(first)
        and type(first) is type(second)
        and (first == second or math.isnan(first) if isinstance(first, float) else first == second)
    ):
        return first
    kinds = {value.kind if is_scalar(value) else type(value) for value in (first, second)}
    return AbstractScalar(kinds.pop()) if len(kinds) == 1 else UNKNOWN


def _of_sizes(first: Any, second: Any) -> Any:
    if is_dim(first) and is_dim(second) and equal(first, second):
        return first
    sizes = all(is_dim(value) or type(value) is int for value in (first, second))
    whole = all(is_dim(value) or (is_scalar(value, int)) or type(value) is int for value in (first, second))
    return (
        arrays.unknown_size()
        if sizes and min_known(first, second) > 0
        else AbstractScalar(int)
        if whole
        else UNKNOWN
    )


def min_known(first: Any, second: Any) -> int:
    """The smaller of the numbers among two sizes; 1 where both are symbols, which stand for at least that."""
    return min([value for value in (first, second) if type(value) is int], default=1)


def _of_many(first: Any, second: Any, depth: int) -> Any:
    items, kinds, some, since = [], set(), True, arrays.unknown_sizes_before_loops()
    for value in (first, second):
        if is_many(value):
            items.append(value.item)
            kinds.add(value.kind)
            some, since = some and value.some, min(since, value.since)
        elif isinstance(value, (list, tuple, collections.deque)):
            items += value
            kinds.add(type(value))
            some = some and bool(value)
        else:
            return UNKNOWN
    if len(kinds) != 1:
        return UNKNOWN
    item = items[0]
    for more in items[1:]:
        item = join(item, more, depth + 1)
    return AbstractSequence(item, some, kinds.pop(), since)


def _of_numpy(first: Any, second: Any) -> Any:
    def parts(value: Any) -> Any:
        return (value.np_dtype, value.dims) if isinstance(value, NumpyArray) else (value.dtype, value.shape)

    if not all(isinstance(value, (NumpyArray, np.ndarray)) for value in (first, second)):
        return UNKNOWN
    (dtype, dims), (other_dtype, other_dims) = parts(first), parts(second)
    return NumpyArray(dtype if dtype == other_dtype else None, join_shapes(dims, other_dims))


def _of_objects(first: Any, second: Any, depth: int) -> Any:
    if type(first) is not type(second):
        return UNKNOWN
    is_current = registry.is_current(first)
    if is_current is not None:
        return first if is_current else second
    if isinstance(first, types.FunctionType):
        return library_functions.join(first, second, lambda a, b: join(a, b, depth + 1))
    if isinstance(first, Record):
        return _of_records(first, second, depth)
    if isinstance(first, np.ndarray):
        equal = first.dtype == second.dtype and first.shape == second.shape and first.dtype != object
        return first if equal and np.array_equal(first, second) else _of_numpy(first, second)
    if type(first) in (tuple, list):
        if len(first) != len(second):
            return (
                _of_many(
                    AbstractSequence(join_all(list(first)), bool(first), type(first))
                    if first
                    else AbstractSequence(UNKNOWN),
                    second,
                    depth,
                )
                if first and second
                else UNKNOWN
            )
        return type(first)(join(a, b, depth + 1) for a, b in zip(first, second, strict=True))
    if type(first) is collections.deque:
        if first.maxlen != second.maxlen:
            return UNKNOWN
        if len(first) != len(second):
            return _of_many(first, second, depth) if first and second else UNKNOWN
        return collections.deque(
            (join(a, b, depth + 1) for a, b in zip(first, second, strict=True)), first.maxlen
        )
    if type(first) is set:  # one more of it: a change of that may be one of either
        return set(first) if len(first) == len(second) and _is_equal(first, second) else UNKNOWN
    if isinstance(first, dict):
        if type(first) is not dict or first.keys() != second.keys():  # what JAX makes of a dict is sorted
            return UNKNOWN
        return {key: join(first[key], second[key], depth + 1) for key in first}
    try:
        ones, tree = jax.tree.flatten(first, is_leaf=lambda leaf: is_unknown(leaf))
        others, other_tree = jax.tree.flatten(second, is_leaf=lambda leaf: is_unknown(leaf))
        if not jax.tree_util.treedef_is_leaf(tree) and tree == other_tree:
            joined = [join(a, b, depth + 1) for a, b in zip(ones, others, strict=True)]
            return jax.tree.unflatten(tree, joined)
        ones, tree = jax.tree.flatten(first, is_leaf=lambda part: part is not first)
        others, other_tree = jax.tree.flatten(second, is_leaf=lambda part: part is not second)
        if not jax.tree_util.treedef_is_leaf(tree) and tree == other_tree:  # what differs is further in
            return jax.tree.unflatten(
                tree, [join(a, b, depth + 1) for a, b in zip(ones, others, strict=True)]
            )
    except Exception:  # a registered class may do anything
        return UNKNOWN
    if type(first).__module__ == "__program__":
        return data_objects.join(first, second, lambda a, b: join(a, b, depth + 1))
    return first if _is_equal(first, second) else UNKNOWN


def _is_equal(first: Any, second: Any) -> bool:
    try:
        return bool(first == second)
    except Exception:  # code of objects may raise anything: then no more is known
        return False


def _of_records(first: Record, second: Record, depth: int) -> Any:
    held, others = fields_of(first), fields_of(second)
    if held.keys() != others.keys():
        return UNKNOWN
    return made(type(first), {key: join(held[key], others[key], depth + 1) for key in held})
