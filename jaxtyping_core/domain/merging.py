"""What several results, of which each may be the right one, have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from .arrays import join_all
from .dims import Dim
from .values import Array, Call, Dict, Items, Size, Static, Unknown, Value

#: Whether an array of this dtype is weak makes no difference.
NEVER_WEAK = "bool"
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
    if isinstance(first, Call):
        calls = [result for result in results if isinstance(result, Call)]
        if len({(call.function, len(call.args)) for call in calls}) == 1 and not any(c.kwargs for c in calls):
            columns = [call.args for call in calls]
            return Call(first.function, tuple(merge(part, dim) for part in zip(*columns, strict=True)), {})
    return Unknown()


def size_of(result: Value) -> Dim:
    """The size that a Python int is; None for every other value."""
    if isinstance(result, Size):
        return result.expression
    return result.value if isinstance(result, Static) and type(result.value) is int else None


def merge_arrays(arrays: Sequence[Array], dim: MergeDims = common) -> Array:
    """What is known of an array that is one of `arrays`.

    If they have several dtypes, any is possible: what is merged may be answers for samples, which others would not confirm.
    """
    joined = join_all(arrays)
    shape = joined.shape
    if shape is not None:
        columns = zip(*(array.shape for array in arrays if array.shape is not None), strict=True)
        shape = tuple(dim(column) for column in columns)
    is_known = joined.dtype is not None and (joined.weak is not None or joined.dtype == NEVER_WEAK)
    return Array.of(
        joined.dtype if is_known else None,
        bool(is_known and joined.weak),
        shape,
        all(array.layer for array in arrays),
    )
