"""The first, or another, axis of all arrays in a tree: rows, and what is stacked of them again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...values import arrays
from ...values.conversions import as_array
from ...values.trees import mapped
from ...values.unknowns import UNKNOWN


def row(value: Any, axis: Any, sizes: list[Any]) -> Any:
    """`value` without this axis of its arrays, the sizes of which are added to `sizes`; None for no axis."""
    if axis is None:
        return value
    if not isinstance(axis, int):
        return UNKNOWN

    def of_leaf(leaf: Any) -> Any:
        known = arrays.known_of(as_array(leaf))
        if known is None:
            return UNKNOWN
        dims = known.shape
        if dims is None or not -len(dims) <= axis < len(dims):
            return arrays.of_known(replace(known, shape=None))
        if dims[axis] is not None:
            sizes.append(dims[axis])
        position = axis % len(dims)
        rest = tuple(dim for i, dim in enumerate(dims) if i != position)
        return arrays.of_known(replace(known, shape=rest))

    return mapped(of_leaf, value)


def stacked(value: Any, size: Any) -> Any:
    """So many of `value`, along a new first axis of its arrays; None for a number that is not known."""

    def of_leaf(leaf: Any) -> Any:
        known = arrays.known_of(leaf)
        if known is None:
            return UNKNOWN
        return arrays.of_known(replace(known, shape=None if known.shape is None else (size, *known.shape)))

    return mapped(of_leaf, value)
