"""torchvision: its data sets of pictures with a class each. Nothing of it is called.

See https://docs.pytorch.org/vision/stable/datasets.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Holder, Namespace
from ..engine.values.unknowns import UNKNOWN, AbstractScalar, AbstractSequence
from . import _tensors
from ._describing import dtype_of, numpy_array, shape_of
from ._items import DataSet, settled

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

#: The shapes of pictures, in data sets whose items are a picture and the number of its class.
SHAPES = {
    **dict.fromkeys(("MNIST", "FashionMNIST", "KMNIST"), (28, 28)),
    **dict.fromkeys(("CIFAR10", "CIFAR100"), (32, 32, 3)),
}
#: Those whose pictures and classes are tensors, and the older names of these; of the others they are an array and a list.
OF_TENSORS = frozenset({"MNIST", "FashionMNIST", "KMNIST"})
OLDER = {"data": ("train_data", "test_data"), "targets": ("train_labels", "test_labels")}
MODULES = {"mnist": ("MNIST", "FashionMNIST", "KMNIST"), "cifar": ("CIFAR10", "CIFAR100")}


def _whole(natives: Natives, name: str) -> dict[str, Any]:
    """The attributes of a data set that hold all of its pictures, and the numbers of all classes."""
    pictures = numpy_array("uint8", (None, *SHAPES[name]))
    if name not in OF_TENSORS:
        return {"data": pictures, "targets": AbstractSequence(AbstractScalar(int), some=True)}
    tensors = {
        "data": _tensors.tensor(natives, pictures),
        "targets": _tensors.tensor(natives, numpy_array("int64", (None,))),
    }
    return {each: tensors[now] for now, older in OLDER.items() for each in (now, *older)}


def _maker(natives: Natives, name: str) -> Callable[..., Namespace]:
    shape = SHAPES[name]

    def make(
        root: Any = UNKNOWN,
        train: Any = True,
        transform: Any = None,
        target_transform: Any = None,
        download: Any = False,
        **_: Any,
    ) -> Namespace:
        def transformed(function: Any, value: Any) -> Any:
            if function is None:
                return value
            return settled(natives, lambda: natives.interpreter.call(function, [value], {}))

        def item() -> Any:
            picture = _picture(natives, numpy_array("uint8", shape))
            return transformed(transform, picture), transformed(target_transform, AbstractScalar(int))

        attributes = {"transform": transform, "target_transform": target_transform, "train": train}
        return DataSet(natives, item, **attributes, **_whole(natives, name))

    return make


def _picture(natives: Natives, array: Any) -> Holder:
    """A picture, of which no more than its array is known."""
    return Holder(array, natives.function(lambda *_: UNKNOWN))


def _transforms(natives: Natives) -> Namespace:
    function, call = natives.function, natives.interpreter.call

    def to_tensor(picture: Any = UNKNOWN) -> Any:
        """Channels come first, and the numbers are between 0 and 1."""
        array = picture.array if isinstance(picture, Holder) else picture
        shape = shape_of(array)
        if shape is None or len(shape) not in (2, 3) or dtype_of(array) != "uint8":
            return UNKNOWN
        channels = shape[2] if len(shape) == 3 else 1
        return _tensors.tensor(natives, numpy_array("float32", (channels, *shape[:2])))

    def normalized(value: Any = UNKNOWN) -> Any:
        return value if isinstance(value, Holder) else UNKNOWN

    def composed(steps: Any = UNKNOWN) -> Any:
        def apply(value: Any = UNKNOWN) -> Any:
            for step in steps if isinstance(steps, (list, tuple)) else [UNKNOWN]:
                value = call(step, [value], {})
            return value

        return function(apply)

    return Namespace(
        "torchvision.transforms",
        ToTensor=function(lambda: function(to_tensor)),
        Normalize=function(lambda *_, **__: function(normalized)),
        Compose=function(composed),
    )


def _namespaces(natives: Natives) -> dict[str, Any]:
    makers = {name: natives.function(_maker(natives, name)) for name in SHAPES}
    data_sets, transforms = Namespace("torchvision.datasets", **makers), _transforms(natives)
    return {
        "torchvision": Namespace("torchvision", datasets=data_sets, transforms=transforms),
        "torchvision.datasets": data_sets,
        "torchvision.transforms": transforms,
        **{
            f"torchvision.datasets.{module}": Namespace(**{name: makers[name] for name in names})
            for module, names in MODULES.items()
        },
    }


OVERLAY = Overlay(library="torchvision", is_onlooker=True, may_fail=True, instead=_namespaces)
