"""NumPy's random numbers: arrays of which the dtype and the shape are known."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ....identity import identity
from ...values import arrays
from ...values.callables import Namespace
from ...values.unknowns import UNKNOWN, AbstractSequence, NumpyArray, is_anything
from ..calls.memo import lasting
from ..python import chance
from ..trust.tables import LEGACY, MODERN
from .choices import evaluated, forgotten

if TYPE_CHECKING:
    from ..natives import Natives

#: Numbers that are drawn at most.
MOST = 1 << 22


def namespaces(natives: Natives) -> dict[str, Any]:
    """`numpy.random`."""

    def generator(names: Iterable[str], make: Callable[[], Any]) -> Any:
        return Namespace(**{name: natives.function(_draw(natives, name, make)) for name in names}, **ignored)

    ignored = {
        "seed": natives.function(lambda *_, **__: None),
        "shuffle": natives.function(_shuffle(natives)),
    }
    legacy = generator(LEGACY, np.random.RandomState)
    modern = generator(MODERN, np.random.default_rng)
    legacy.names["default_rng"] = natives.function(lambda *_, **__: modern)
    legacy.names["RandomState"] = natives.function(lambda *_, **__: legacy)
    legacy.names["Generator"] = np.random.Generator
    return {"numpy.random": legacy}


def _draw(natives: Natives, name: str, make: Callable[[], Any]) -> Callable[..., Any]:
    def drawn(*args: Any, **kwargs: Any) -> Any:
        shape = kwargs.get("size", args if name in ("rand", "randn") else args[-1] if args else None)
        if isinstance(shape, (int, tuple, list)) and _count(shape) > MOST and name not in ("permutation",):
            dtype = "int64" if name in ("randint", "integers") else "float64"
            dims = (shape,) if isinstance(shape, int) else tuple(shape)
            return (
                NumpyArray(np.dtype(dtype), dims) if "dtype" not in kwargs and name != "choice" else UNKNOWN
            )
        if any(map(is_anything, [*args, *kwargs.values()])):
            return NumpyArray(None, None)
        return evaluated(_from(make, name), list(args), kwargs)

    return drawn


@functools.cache
def _from(make: Callable[[], Any], name: str) -> Callable[..., Any]:
    """A method of a generator, whose state no shape follows from."""
    generator = make()

    def drawn(*args: Any, **kwargs: Any) -> Any:
        return getattr(generator, name)(
            *map(_ready, args), **{key: _ready(value) for key, value in kwargs.items()}
        )

    return lasting(drawn)


def _ready(value: Any) -> Any:
    """Ones for zeros: a scale or a probability may not be 0."""
    if isinstance(value, (tuple, list)):
        return type(value)(map(_ready, value))
    stands_in = isinstance(value, np.ndarray) and not value.flags.writeable and value.dtype.kind == "f"
    return np.ones(value.shape, value.dtype) if stands_in else value


def _count(shape: Any) -> int:
    sizes = [shape] if isinstance(shape, int) else list(shape)
    return math.prod(sizes) if all(type(size) is int for size in sizes) else 0


def _shuffle(natives: Natives) -> Callable[..., Any]:
    def shuffle(value: Any, *_: Any, **__: Any) -> None:
        if type(value) is list:
            chance.shuffle(natives, value)
            return
        if arrays.is_array(value) or isinstance(value, (NumpyArray, AbstractSequence)):
            return
        natives.interpreter.replace({identity(value): (value, forgotten(value))})

    return shuffle
