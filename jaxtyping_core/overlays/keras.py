"""Keras: its data sets, which are arrays of NumPy. Nothing of it is called. See https://keras.io/api/datasets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values.unknowns import NumpyArray
from . import UNKNOWN, in_place_of, numpy_array

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

#: How many pictures there are for training and for tests, the shapes of a picture and of a class, and the dtype of classes.
PICTURES: dict[str, tuple[tuple[int, int], tuple[int, ...], tuple[int, ...], str | None]] = {
    "mnist": ((60_000, 10_000), (28, 28), (), "uint8"),
    "fashion_mnist": ((60_000, 10_000), (28, 28), (), "uint8"),
    "cifar10": ((50_000, 10_000), (32, 32, 3), (1,), "uint8"),
    "cifar100": ((50_000, 10_000), (32, 32, 3), (1,), None),
}


def _pictures(name: str) -> Callable[..., Any]:
    counts, picture, label, dtype = PICTURES[name]

    def load(*_: Any, **__: Any) -> Any:
        def labels(count: int) -> Any:
            shape = (count, *label)
            return NumpyArray(None, shape) if dtype is None else numpy_array(dtype, shape)

        return tuple((numpy_array("uint8", (count, *picture)), labels(count)) for count in counts)

    return load


def _boston(path: Any = "", test_split: Any = 0.2, seed: Any = 113) -> Any:
    counts = (404, 102) if test_split == 0.2 else (None, None)
    return tuple((numpy_array("float64", (count, 13)), numpy_array("float64", (count,))) for count in counts)


def _one_hot(x: Any = UNKNOWN, num_classes: Any = None) -> Any:
    """``to_categorical`` gives an array of JAX for one, if that is the backend."""
    shape = x.dims if isinstance(x, NumpyArray) else None
    if shape is None:
        return UNKNOWN
    kept = shape[:-1] if len(shape) > 1 and shape[-1] == 1 else shape
    if any(dim is None for dim in shape[-1:]) and len(shape) > 1:
        return UNKNOWN
    return NumpyArray(None, (*kept, num_classes if type(num_classes) is int else None))


def data_sets(natives: Natives, place: str) -> Any:
    """What is seen of Keras in a module."""
    table: dict[str, Callable[..., Any]] = {
        f"{place}.datasets.{name}.load_data": _pictures(name) for name in PICTURES
    }
    table[f"{place}.datasets.boston_housing.load_data"] = _boston
    table[f"{place}.utils.to_categorical"] = _one_hot
    return in_place_of(table)(natives)


OVERLAY = Overlay(library="keras", may_fail=True, instead=lambda natives: data_sets(natives, "keras"))
