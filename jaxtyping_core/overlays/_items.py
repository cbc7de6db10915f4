"""What data sets and loaders of libraries give to a program, by what the program's own classes and functions give to these."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from ..engine.control import RaisedException
from ..engine.values import arrays, heap
from ..engine.values.callables import Namespace
from ..engine.values.joins import join
from ..engine.values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence, is_scalar, is_unknown
from ..sampling.tables.ranks import LIST_LENGTHS
from ._describing import dtype_of, numpy_array, shape_of

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

T = TypeVar("T")
#: The dtypes that NumPy gives numbers of Python.
_OF_NUMBERS = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}
#: Items of a batch that a function gets one by one; of more it only sees what they have in common.
MOST_IN_BATCH = 256


class DataSet(Namespace):
    """A data set of a library, of which each item is what `item` gives."""

    def __init__(self, natives: Natives, item: Callable[[], Any], **names: Any) -> None:
        super().__init__(**names)
        self.item = natives.function(item)


def item_of(natives: Natives, source: Any) -> Any:
    """What each item of a data set is: of the program, of a library, or a list or an array."""
    interpreter = natives.interpreter
    if isinstance(source, Namespace):
        return source.item() if isinstance(source, DataSet) else UNKNOWN
    if is_unknown(source) and not isinstance(source, AbstractSequence) and arrays.known_of(source) is None:
        return UNKNOWN
    if type(source) in interpreter.classes:
        method = getattr(type(source), "__getitem__", None)
        if method is None:
            return UNKNOWN
        return settled(natives, lambda: interpreter.call(method, [source, AbstractScalar(int)], {}))
    return interpreter.item(source, AbstractScalar(int))


def settled(natives: Natives, *calls: Callable[[], Any]) -> Any:
    """What calls give that a library makes any number of times, each of them: what one leaves is there before the next one."""
    try:
        with natives.interpreter.within(speculative=True, uncaught=True):
            return functools.reduce(join, [give() for give in (*calls, *calls[:1])])
    except RaisedException:  # what fails here may not fail there
        return UNKNOWN


def collated(natives: Natives, collate: Any, item: Any, size: Any, is_whole: bool) -> Any:
    """What a function makes of lists of items; with `is_whole`, no batch is smaller than the others."""
    is_known = type(size) is int and 0 < size <= MOST_IN_BATCH
    rest = () if is_known and is_whole else LIST_LENGTHS
    lengths = dict.fromkeys([size, *rest] if is_known else rest)

    def of_length(length: int) -> Callable[[], Any]:
        return lambda: natives.interpreter.call(collate, [heap.made([item] * length)], {})

    return settled(natives, *map(of_length, lengths))


def batches(natives: Natives, give: Callable[[], Any]) -> Callable[[], Any]:
    """What gives an iterator of what `give` gives, each time that a program begins to iterate."""

    def iterated(*_: Any) -> Any:
        since = arrays.unknown_sizes()
        return AbstractSequence(give(), since=since)

    return natives.function(iterated)


def stacked(item: Any, size: Any, is_whole: bool) -> Any:
    """A tree of NumPy's arrays of which each has the leaves of several items, one below the other."""
    if type(item) is dict:
        return heap.made({key: stacked(each, size, is_whole) for key, each in item.items()})
    if type(item) in (list, tuple):
        return heap.made(type(item)(stacked(each, size, is_whole) for each in item))
    rows = size if is_whole and type(size) is int else None
    kind = item.kind if is_scalar(item) else type(item)
    if kind in _OF_NUMBERS:
        return numpy_array(_OF_NUMBERS[kind], (rows,))
    dtype, shape = dtype_of(item), shape_of(item)
    return UNKNOWN if dtype is None else numpy_array(dtype, UNKNOWN if shape is None else (rows, *shape))


def base_class(
    natives: Natives, module: str, name: str, methods: Mapping[str, Any] = MappingProxyType({})
) -> type:
    """A class with a parameter that classes of the program may be derived from."""
    contents, generic = {"__module__": module, **methods}, cast(Any, Generic)
    base = types.new_class(name, (generic[T],), {}, lambda namespace: namespace.update(contents))
    natives.bases.add(base)
    return base
