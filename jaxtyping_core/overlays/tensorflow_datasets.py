"""TensorFlow Datasets: pictures with a class each, whose shapes the catalog states. Nothing of it is called.

See https://www.tensorflow.org/datasets/catalog/overview.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import UNKNOWN, is_unknown
from ._describing import numpy_array
from ._items import DataSet
from ._tensor_sets import held, mapped, numpy_items, tensor, tensor_set

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

NAME = "tensorflow_datasets"
#: The shapes of pictures, and how many are in each split.
DATA_SETS: dict[str, tuple[tuple[int, ...], dict[str, int]]] = {
    **dict.fromkeys(("mnist", "fashion_mnist", "kmnist"), ((28, 28, 1), {"train": 60_000, "test": 10_000})),
    **dict.fromkeys(("cifar10", "cifar100"), ((32, 32, 3), {"train": 50_000, "test": 10_000})),
}


def _item(natives: Natives, name: str, supervised: bool, rows: tuple[Any, ...]) -> Any:
    """One item of a data set, or all of them at once."""
    image = tensor(natives, numpy_array("uint8", (*rows, *DATA_SETS[name][0])))
    label = tensor(natives, numpy_array("int64", rows))
    if supervised:
        return image, label
    coarse = {"coarse_label": label} if name == "cifar100" else {}
    return {"image": image, "label": label, **coarse, **({"id": UNKNOWN} if name.startswith("cifar") else {})}


def _splits(natives: Natives, name: Any, split: Any, supervised: Any, size: Any) -> Any:
    """The data sets of one split, of several, or of all."""
    if type(name) is not str or name not in DATA_SETS or type(supervised) is not bool or is_unknown(split):
        return UNKNOWN
    if isinstance(split, (list, tuple)):
        return [_splits(natives, name, each, supervised, size) for each in split]
    if split is None:
        return {each: _splits(natives, name, each, supervised, size) for each in DATA_SETS[name][1]}
    if size == -1:
        return _item(
            natives, name, supervised, (DATA_SETS[name][1].get(split) if type(split) is str else None,)
        )
    whole = tensor_set(natives, lambda: _item(natives, name, supervised, ()))
    return whole if size is None else whole.names["batch"](size)


def _namespaces(natives: Natives) -> dict[str, Any]:
    function = natives.function

    def load(
        name: Any = UNKNOWN,
        *,
        split: Any = None,
        batch_size: Any = None,
        as_supervised: Any = False,
        with_info: Any = False,
        **_: Any,
    ) -> Any:
        sets = _splits(natives, name, split, as_supervised, batch_size)
        return (sets, UNKNOWN) if with_info is True else sets if with_info is False else UNKNOWN

    def builder(name: Any = UNKNOWN, *_: Any, **__: Any) -> Namespace:
        def as_dataset(
            split: Any = None, *, batch_size: Any = None, as_supervised: Any = False, **_: Any
        ) -> Any:
            return _splits(natives, name, split, as_supervised, batch_size)

        nothing = function(lambda *_, **__: None)
        return Namespace(as_dataset=function(as_dataset), download_and_prepare=nothing)

    names: dict[str, Callable[..., Any]] = {
        "load": load,
        "builder": builder,
        "as_numpy": lambda data=UNKNOWN: _as_numpy(natives, data),
    }
    return {NAME: Namespace(NAME, **{name: function(each) for name, each in names.items()})}


def _as_numpy(natives: Natives, data: Any) -> Any:
    """Arrays in place of tensors, and iterables of such in place of data sets."""
    return mapped(
        lambda leaf: numpy_items(natives, leaf.item) if isinstance(leaf, DataSet) else held(leaf), data
    )


OVERLAY = Overlay(library=NAME, is_onlooker=True, may_fail=True, instead=_namespaces)
