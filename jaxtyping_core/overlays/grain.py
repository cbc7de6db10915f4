"""Grain: loaders of data, whose items the program's own sources and transformations make. Nothing of it is called.

A batch has the leaves of its items one below the other, as arrays of NumPy. See https://google-grain.readthedocs.io.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import UNKNOWN
from ..identity import identity
from ._items import DataSet, base_class, batches, collated, item_of, settled, stacked

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

NAME = "grain"
#: The transformations that programs derive theirs from, each with the method that makes an item of another one, if one does.
METHODS = {
    "MapTransform": "map",
    "RandomMapTransform": "random_map",
    "FilterTransform": "",
    "RandomAccessDataSource": "",
}
#: The methods of a data set that change nothing of its items.
SAME_ITEMS = ("shuffle", "seed", "repeat", "slice", "filter", "to_iter_dataset", "mp_prefetch")


class Batch(Namespace):
    """``grain.Batch``."""

    def __init__(self, batch_size: Any = UNKNOWN, drop_remainder: Any = False, batch_fn: Any = None) -> None:
        super().__init__(batch_size=batch_size, drop_remainder=drop_remainder)
        self.batch_fn = batch_fn

    def of(self, natives: Natives, item: Any) -> Any:
        """A batch of items."""
        size, is_whole = self.names["batch_size"], self.names["drop_remainder"] is True
        if self.batch_fn is not None:
            return collated(natives, self.batch_fn, item, size, is_whole)
        return stacked(item, size, is_whole)


def _changed(natives: Natives, operation: Any, item: Any) -> Any:
    """What a transformation makes of an item."""
    interpreter = natives.interpreter
    if isinstance(operation, Batch):
        return operation.of(natives, item)
    if identity(operation) in interpreter.functions:
        return settled(natives, lambda: interpreter.call(operation, [item], {}))
    names = [base.__name__ for base in type(operation).__mro__ if base in natives.bases]
    if type(operation) not in interpreter.classes or not names or names[0] not in METHODS:
        return UNKNOWN
    method = METHODS[names[0]]
    if not method:
        return item
    others = [UNKNOWN] if method == "random_map" else []
    bound = getattr(type(operation), method, UNKNOWN)
    return settled(natives, lambda: interpreter.call(bound, [operation, item, *others], {}))


def _loaded(natives: Natives, source: Any, operations: Any) -> Namespace:
    """A loader: iterated over, it gives what the operations make of the items of a source."""

    def item() -> Any:
        made = item_of(natives, source)
        for operation in operations if isinstance(operations, (list, tuple)) else [UNKNOWN]:
            made = _changed(natives, operation, made)
        return made

    return Namespace(__iter__=batches(natives, item))


def _data_set(natives: Natives, source: Any, operations: Sequence[Any] = ()) -> DataSet:
    """``grain.MapDataset``: each method gives another one."""

    def item() -> Any:
        made = item_of(natives, source)
        for operation in operations:
            made = _changed(natives, operation, made)
        return made

    def then(make: Callable[..., Any]) -> Any:
        return natives.function(
            lambda *args, **kwargs: _data_set(natives, source, [*operations, make(*args, **kwargs)])
        )

    same = natives.function(lambda *_, **__: _data_set(natives, source, operations))
    return DataSet(
        natives,
        item,
        __iter__=batches(natives, item),
        map=then(lambda transform=UNKNOWN, *_, **__: transform),
        random_map=then(lambda *_, **__: UNKNOWN),
        batch=then(Batch),
        **dict.fromkeys(SAME_ITEMS, same),
    )


def _namespaces(natives: Natives) -> dict[str, Any]:
    def load(
        source: Any = UNKNOWN,
        *,
        transformations: Any = (),
        batch_size: Any = None,
        drop_remainder: Any = False,
        **_: Any,
    ) -> Any:
        if not isinstance(transformations, (list, tuple)):
            return UNKNOWN
        last = [] if batch_size is None else [Batch(batch_size, drop_remainder)]
        return _loaded(natives, source, [*transformations, *last])

    def loader(*, data_source: Any = UNKNOWN, operations: Any = (), **_: Any) -> Any:
        return _loaded(natives, data_source, operations)

    function = natives.function
    of_source = function(lambda source=UNKNOWN, *_, **__: _data_set(natives, source))
    names = {
        **{name: base_class(natives, NAME, name) for name in METHODS},
        "Batch": function(Batch),
        "BatchOperation": function(Batch),
        "DataLoader": function(loader),
        "load": function(load),
        "MapDataset": Namespace(source=of_source),
    }
    return {
        NAME: Namespace(NAME, python=Namespace(NAME, **names), **names),
        "grain.python": Namespace(NAME, **names),
    }


OVERLAY = Overlay(library=NAME, is_onlooker=True, may_fail=True, instead=_namespaces)
