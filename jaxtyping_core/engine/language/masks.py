"""Indices that are masks: how much they take only their numbers say."""

from __future__ import annotations

from typing import Any

from ..values import arrays


def has_mask(key: Any) -> bool:
    """Whether an index is an array of bools of JAX, or has one in it."""
    return bool(in_key(key))


def in_key(key: Any) -> list[Any]:
    """The arrays of bools of JAX in an index."""
    return [*filter(_is_mask, key if isinstance(key, tuple) else (key,))]


def as_indices(key: Any) -> Any:
    """An index without masks: of each, the indices of what it takes, an unknown number of them.

    The source of the rule is NumPy's documentation of indexing, "Boolean array indexing": ``x[mask]`` is
    ``x[mask.nonzero()]``.
    """
    keys = key if isinstance(key, tuple) else (key,)
    taken = arrays.unknown_size()
    plain: list[Any] = []
    for each in keys:
        if _is_mask(each):
            plain += [arrays.array("int32", False, (taken,))] * len(each.shape)
        else:
            plain.append(each)
    return tuple(plain)


def _is_mask(value: Any) -> bool:
    return arrays.is_array(value) and value.dtype == bool and len(value.shape) > 0
