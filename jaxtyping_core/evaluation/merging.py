"""What several results, of which each may be the right one, have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from .values import Array, Dict, Dim, Items, Size, Static, Unknown, Value

#: Says what a size is that is each of these in turn, in the order of the results.
MergeDims = Callable[[tuple[Dim, ...]], Dim]


def common(column: tuple[Dim, ...]) -> Dim:
    """The size that all are; None where they differ."""
    return column[0] if all(type(dim) is type(column[0]) and dim == column[0] for dim in column) else None


def merge(results: Sequence[Value], dim: MergeDims = common) -> Value:
    """What `results` agree on; `dim` does so for sizes."""
    first = results[0]
    if all(result == first for result in results):
        return first
    sizes = tuple(map(size_of, results))
    if None not in sizes:
        size = dim(sizes)
        return Size(size) if isinstance(size, str) else Unknown()
    if any(type(result) is not type(first) for result in results):
        return Unknown()
    if isinstance(first, Array):
        return merge_arrays([result for result in results if isinstance(result, Array)], dim)
    if isinstance(first, Items):
        columns = [result.items for result in results if isinstance(result, Items)]
        if all(len(items) == len(first.items) for items in columns):
            return replace(first, items=tuple(merge(part, dim) for part in zip(*columns, strict=True)))
    if isinstance(first, Dict):
        dicts = [result.pairs for result in results if isinstance(result, Dict)]
        keys = [key for key, _ in first.pairs]
        if all([key for key, _ in pairs] == keys for pairs in dicts):
            parts = zip(*([item for _, item in pairs] for pairs in dicts), strict=True)
            return Dict(tuple((key, merge(part, dim)) for key, part in zip(keys, parts, strict=True)))
    return Unknown()


def size_of(result: Value) -> Dim:
    """The size that a Python int is; None for every other value."""
    if isinstance(result, Size):
        return result.expression
    return result.value if isinstance(result, Static) and type(result.value) is int else None


def is_weak(array: Array) -> bool:
    """Whether other dtypes decide over that of an array: a weak bool is a bool."""
    return array.weak and array.dtype != "bool"


def merge_arrays(arrays: Sequence[Array], dim: MergeDims = common) -> Array:
    """What is known of an array that is one of `arrays`."""
    first = arrays[0]
    same = all(array.dtype == first.dtype and is_weak(array) == is_weak(first) for array in arrays)
    ranks = {None if array.dims is None else len(array.dims) for array in arrays}
    dims = None
    if len(ranks) == 1 and first.dims is not None:
        columns = zip(*(array.dims for array in arrays if array.dims is not None), strict=True)
        dims = tuple(dim(column) for column in columns)
    dtype, weak = (first.dtype, all(array.weak for array in arrays)) if same else (None, False)
    return Array(dtype, weak, dims, all(array.layer for array in arrays))
