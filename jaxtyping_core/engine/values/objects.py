"""What objects of libraries have in common that a call made with different numbers for what is not known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...domain.arrays import TOP
from ...identity import identity
from . import arrays, heap
from .joins import join_all
from .unknowns import is_scalar, is_unknown


class Generalization:
    """Several results of one call, each made with other numbers, as one.

    Args:
        numbers: the unknown ints, each with what it was in each of the results; no two were the same.
    """

    def __init__(self, numbers: Sequence[tuple[Any, Sequence[int]]]) -> None:
        self.of_sizes = {tuple(tried): number for number, tried in numbers}
        self.seen: dict[int, Any] = {}

    def of(self, values: Sequence[Any]) -> Any:
        """The value that describes all of `values`: the first itself if it is an object."""
        first = values[0]
        if identity(first) in self.seen or all(value is first for value in values):
            return first
        if any(type(value) is not type(first) or is_unknown(value) for value in values):
            return join_all(list(values))
        if arrays.is_array(first):
            return self._of_arrays(values)
        if type(first) is int:
            return self._of_ints(values)
        if type(first) in (list, tuple) and len({len(value) for value in values}) == 1:
            return type(first)(map(self.of, zip(*values, strict=True)))
        if type(first) is dict and all(value.keys() == first.keys() for value in values):
            return {key: self.of([value[key] for value in values]) for key in first}
        return self._of_objects(values)

    def _of_ints(self, values: Sequence[int]) -> Any:
        same = tuple(values)
        return self.of_sizes[same] if same in self.of_sizes else join_all(list(values))

    def _of_arrays(self, values: Sequence[Any]) -> Any:
        known = [arrays.known_of(value) or TOP for value in values]
        joined = join_all(list(values))
        if not arrays.is_array(joined):
            return joined
        columns = zip(*(each.shape for each in known if each.shape is not None), strict=True)
        dims = tuple(
            _size(self.of_sizes[column]) if column in self.of_sizes else dim
            for column, dim in zip(columns, joined.shape, strict=True)
        )
        return arrays.of_known(replace(known[0], shape=dims))

    def _of_objects(self, values: Sequence[Any]) -> Any:
        first = values[0]
        fields = [arrays.object_fields(value) for value in values]
        if any(each is None or each.keys() != (fields[0] or {}).keys() for each in fields):
            return join_all(list(values))
        self.seen[identity(first)] = first
        for name in list(fields[0] or ()):
            joined = self.of([(each or {})[name] for each in fields])
            if joined is not (fields[0] or {})[name]:
                _set(first, name, joined)
        return first


def _size(number: Any) -> Any:
    return arrays.size_of(number) if is_scalar(number) else number


def _set(value: Any, name: str, item: Any) -> None:
    """Set an attribute of an object that may be frozen."""
    heap.changing(value)
    fields = vars(value) if hasattr(value, "__dict__") else None
    if fields is not None and name in fields:
        fields[name] = item
    else:
        object.__setattr__(value, name, item)
