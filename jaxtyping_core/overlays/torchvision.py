"""torchvision: its data sets of pictures with a class each. Nothing of it is called.

A picture is what the program's own `transform` makes of something unknown. See https://docs.pytorch.org/vision/stable/datasets.html.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..engine.libraries.overlay import Overlay
from ..engine.values.callables import Namespace
from ..engine.values.unknowns import UNKNOWN, AbstractScalar
from ._items import DataSet, settled

if TYPE_CHECKING:
    from ..engine.libraries.natives import Natives

#: Data sets whose items are a picture and the number of its class, by how their arguments are named.
CLASSES = ("MNIST", "FashionMNIST", "KMNIST", "CIFAR10", "CIFAR100")


def _maker(natives: Natives) -> Callable[..., Namespace]:
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
            return transformed(transform, UNKNOWN), transformed(target_transform, AbstractScalar(int))

        return DataSet(natives, item, transform=transform, target_transform=target_transform, train=train)

    return make


def _namespaces(natives: Natives) -> dict[str, Any]:
    make = natives.function(_maker(natives))
    data_sets = Namespace("torchvision.datasets", **dict.fromkeys(CLASSES, make))
    return {
        "torchvision": Namespace("torchvision", datasets=data_sets),
        "torchvision.datasets": data_sets,
        **{
            f"torchvision.datasets.{module}": Namespace(**dict.fromkeys(names, make))
            for module, names in {"mnist": CLASSES[:3], "cifar": CLASSES[3:]}.items()
        },
    }


OVERLAY = Overlay(library="torchvision", is_onlooker=True, instead=_namespaces)
