"""Data sets of TensorFlow: trees of tensors, which batches and the program's own functions change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..engine.values import heap
from ..engine.values.callables import Holder
from ..engine.values.unknowns import UNKNOWN, NumpyArray
from ._describing import dtype_of, numpy_array, shape_of
from ._items import DataSet, batches, settled, stacked

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

#: Methods that change nothing of the items.
SAME = ("cache", "prefetch", "repeat", "shard", "shuffle", "skip", "take", "filter", "with_options")


def tensor(natives: Natives, array: Any) -> Any:
    """A tensor that holds an array of NumPy."""
    if not isinstance(array, NumpyArray):
        dtype, shape = dtype_of(array), shape_of(array)
        if dtype is None:
            return UNKNOWN
        array = numpy_array(dtype, UNKNOWN if shape is None else shape)
    function = natives.function
    return Holder(
        array,
        function(lambda held=UNKNOWN: tensor(natives, held)),
        numpy=function(lambda: array),
        shape=natives.interpreter.attribute(array, "shape"),
    )


def mapped(change: Callable[[Any], Any], tree: Any) -> Any:
    """A tree with something else for each tensor, array and number in it."""
    if type(tree) is dict:
        return heap.made({key: mapped(change, each) for key, each in tree.items()})
    if type(tree) in (list, tuple):
        return heap.made(type(tree)(mapped(change, each) for each in tree))
    return change(tree)


def held(leaf: Any) -> Any:
    """The array in a tensor; of other leaves nothing is known."""
    return leaf.array if isinstance(leaf, Holder) else UNKNOWN


def rows_of(natives: Natives, tree: Any) -> Any:
    """One row of each array in a tree."""

    def row(leaf: Any) -> Any:
        array = leaf.array if isinstance(leaf, Holder) else leaf
        shape, dtype = shape_of(array), dtype_of(array)
        return tensor(natives, numpy_array(dtype, shape[1:])) if shape and dtype is not None else UNKNOWN

    return mapped(row, tree)


def tensor_set(natives: Natives, item: Callable[[], Any]) -> DataSet:
    """``tf.data.Dataset``, of which each item is what `item` gives."""
    interpreter, function = natives.interpreter, natives.function

    def then(make: Callable[[], Any]) -> DataSet:
        return tensor_set(natives, make)

    def each(transform: Any = UNKNOWN, *_: Any, **__: Any) -> DataSet:
        def changed() -> Any:
            made = item()
            args = [*made] if type(made) is tuple else [made]
            return settled(natives, lambda: interpreter.call(transform, args, {}))

        return then(changed)

    def batch(batch_size: Any = UNKNOWN, drop_remainder: Any = False, *_: Any, **__: Any) -> DataSet:
        def of_batch() -> Any:
            arrays = mapped(held, item())
            return mapped(
                lambda leaf: tensor(natives, leaf), stacked(arrays, batch_size, drop_remainder is True)
            )

        return then(of_batch)

    same = function(lambda *_, **__: then(item))
    as_numpy = function(lambda: numpy_items(natives, item))
    return DataSet(
        natives,
        item,
        __iter__=batches(natives, item),
        map=function(each),
        batch=function(batch),
        as_numpy_iterator=as_numpy,
        **dict.fromkeys(SAME, same),
    )


def numpy_items(natives: Natives, item: Callable[[], Any]) -> Any:
    """What iterates over the items of a data set as arrays of NumPy."""
    return batches(natives, lambda: mapped(held, item()))()
