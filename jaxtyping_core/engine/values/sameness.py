"""Whether two values say the same, of which not all may be known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jax

from ...domain import arrays as domain
from ...domain.arrays import AbstractArray
from ..libraries import registry
from . import arrays, data_objects
from .callables import Holder
from .records import Record, fields_of
from .unknowns import (
    Archive,
    ArrayLike,
    Either,
    Nullable,
    NumpyArray,
    is_dim,
    is_many,
    is_scalar,
    is_unknown,
)

#: Containers within containers further down than this are not looked into.
DEEPEST = 30


def same(first: Any, second: Any, depth: int = 0) -> bool:
    """Whether two values say the same: sizes that are not known are alike."""
    if first is second:
        return True
    if depth > DEEPEST or type(first) is not type(second):
        left, right = arrays.known_of(first), arrays.known_of(second)
        return left is not None and right is not None and _alike(left, right)
    left, right = arrays.known_of(first), arrays.known_of(second)
    if left is not None and right is not None:
        return _alike(left, right)
    if is_scalar(first):
        return first.kind is second.kind
    if isinstance(first, (ArrayLike, Holder)):
        return same(first.array, second.array, depth + 1)
    if is_many(first):
        return (
            first.kind is second.kind
            and first.some == second.some
            and same(first.item, second.item, depth + 1)
        )
    if isinstance(first, Nullable):
        return same(first.value, second.value, depth + 1)
    if isinstance(first, Either):
        return [*map(id, first.functions)] == [*map(id, second.functions)]
    if isinstance(first, Archive):
        return same(first.arrays, second.arrays, depth + 1)
    if isinstance(first, NumpyArray):
        return bool((first.np_dtype, first.dims) == (second.np_dtype, second.dims))
    if is_dim(first):
        return (arrays.is_unknown_size(first) and arrays.is_unknown_size(second)) or str(first) == str(second)
    if isinstance(first, (tuple, list)):
        return len(first) == len(second) and all(
            same(a, b, depth + 1) for a, b in zip(first, second, strict=True)
        )
    if isinstance(first, Record):
        first, second = fields_of(first), fields_of(second)
    if (fields := data_objects.fields_of(first)) is not None:
        first, second = fields, data_objects.fields_of(second)
    if isinstance(first, dict):
        return first.keys() == second.keys() and all(
            same(first[key], second[key], depth + 1) for key in first
        )
    return _same_objects(first, second, depth)


def _alike(left: AbstractArray, right: AbstractArray) -> bool:
    return domain.equal(_without_unknown_sizes(left), _without_unknown_sizes(right))


def _without_unknown_sizes(known: AbstractArray) -> AbstractArray:
    if known.shape is None or not any(map(arrays.is_unknown_size, known.shape)):
        return known
    return replace(known, shape=tuple(None if arrays.is_unknown_size(dim) else dim for dim in known.shape))


def _same_objects(first: Any, second: Any, depth: int) -> bool:
    if registry.is_current(first) is not None:
        return True
    try:
        ones, tree = jax.tree.flatten(first, is_leaf=lambda leaf: is_unknown(leaf))
        others, other_tree = jax.tree.flatten(second, is_leaf=lambda leaf: is_unknown(leaf))
        if not jax.tree_util.treedef_is_leaf(tree):
            return bool(tree == other_tree) and all(
                same(a, b, depth + 1) for a, b in zip(ones, others, strict=True)
            )
        return bool(first == second)
    except Exception:  # code of objects may raise anything: then no more is known
        return False
