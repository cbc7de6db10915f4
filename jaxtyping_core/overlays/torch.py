"""PyTorch: its data sets and loaders, whose items the program's own classes and functions make. Nothing of it is called.

A loader without a `collate_fn` gives tensors. See https://docs.pytorch.org/docs/stable/data.html.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values import heap
from ..engine.values.callables import Holder, Namespace
from ..engine.values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence, is_unknown
from . import _tensors
from ._items import DataSet, base_class, batches, collated, item_of

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

NAME = "torch.utils.data"


def _collated(natives: Natives, loader: dict[str, Any]) -> Any:
    """What one batch is of a loader with these attributes."""
    collate, size = loader["collate_fn"], loader["batch_size"]
    item = item_of(natives, loader["dataset"])
    if size is None:
        return UNKNOWN if collate is None else natives.interpreter.call(collate, [item], {})
    if loader["batch_sampler"] is not None:
        return UNKNOWN
    is_whole = loader["drop_last"] is True
    if collate is None:
        return _tensors.collated(natives, item, size, is_whole)
    return collated(natives, collate, item, size, is_whole)


def _attributes(
    dataset: Any = UNKNOWN,
    batch_size: Any = 1,
    shuffle: Any = None,
    sampler: Any = None,
    batch_sampler: Any = None,
    num_workers: Any = 0,
    collate_fn: Any = None,
    pin_memory: Any = False,
    drop_last: Any = False,
    *_: Any,
    **__: Any,
) -> dict[str, Any]:
    """The attributes of a loader, by the arguments that it is made with."""
    return {
        "dataset": dataset,
        "batch_size": batch_size,
        "batch_sampler": batch_sampler,
        "num_workers": num_workers,
        "collate_fn": collate_fn,
        "pin_memory": pin_memory,
        "drop_last": drop_last,
    }


def _loader(natives: Natives) -> type:
    """The class of loaders: classes of the program are derived from it, and what makes one gives what stands for it."""

    def initialize(self: Any, *args: Any, **kwargs: Any) -> None:
        heap.changing(self)
        vars(self).update(_attributes(*args, **kwargs))

    def iterate(self: Any) -> Any:
        missing = _attributes().keys() - vars(self).keys()
        return batches(natives, lambda: UNKNOWN if missing else _collated(natives, vars(self)))()

    def make(*args: Any, **kwargs: Any) -> Namespace:
        attributes = _attributes(*args, **kwargs)
        iterated = batches(natives, lambda: _collated(natives, attributes))
        return Namespace(**attributes, __iter__=iterated)

    length = natives.function(lambda *_: AbstractScalar(int))
    methods = {"__init__": natives.function(initialize), "__iter__": natives.function(iterate)}
    base = base_class(natives, NAME, "DataLoader", {**methods, "__len__": length})
    natives.replace(base, make)
    return base


def _namespaces(natives: Natives) -> dict[str, Any]:
    def subset(dataset: Any = UNKNOWN, *_: Any) -> Namespace:
        return DataSet(natives, lambda: item_of(natives, dataset), dataset=dataset)

    def split(dataset: Any = UNKNOWN, lengths: Any = UNKNOWN, *_: Any, **__: Any) -> Any:
        if is_unknown(lengths) or not isinstance(lengths, (list, tuple)):
            return AbstractSequence(subset(dataset))
        return [subset(dataset) for _ in lengths]

    def made(data: Any = UNKNOWN, dtype: Any = None, **_: Any) -> Any:
        if isinstance(data, Holder):
            data = data.array
        return _tensors.tensor(natives, data) if dtype is None else UNKNOWN

    of_data = Namespace(
        NAME,
        DataLoader=_loader(natives),
        Dataset=base_class(natives, NAME, "Dataset"),
        Subset=natives.function(subset),
        random_split=natives.function(split),
    )
    utils = Namespace("torch.utils", data=of_data)
    make = natives.function(made)
    whole = Namespace("torch", utils=utils, **dict.fromkeys(("as_tensor", "from_numpy", "tensor"), make))
    return {"torch": whole, "torch.utils": utils, NAME: of_data}


OVERLAY = Overlay(library="torch", is_onlooker=True, may_fail=True, instead=_namespaces)
