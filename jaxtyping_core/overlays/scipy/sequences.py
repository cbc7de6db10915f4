"""Sequences of points that fill a cube evenly: `scipy.stats.qmc`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...engine.values.callables import Namespace
from ...engine.values.unknowns import UNKNOWN, NumpyArray
from .._describing import shape_of

if TYPE_CHECKING:
    from ...engine.libraries.natives import Natives

MODULE = "scipy.stats.qmc"
#: The classes whose objects give points.
ENGINES = ("Sobol", "Halton", "LatinHypercube")
#: Larger exponents of 2 are no number of points.
MOST_EXPONENT = 40


def functions(natives: Natives) -> dict[str, Any]:
    """What is seen in place of names of the module, by their paths."""
    names = {name: natives.function(lambda d=UNKNOWN, **_: _engine(natives, d)) for name in ENGINES}
    names["scale"] = natives.function(lambda sample=UNKNOWN, *_, **__: _like(sample))
    return {f"{MODULE}.{name}": function for name, function in names.items()}


def _engine(natives: Natives, axes: Any) -> Namespace:
    def points(number: Any) -> NumpyArray:
        return NumpyArray(np.dtype(np.float64), (_size(number), _size(axes)))

    def of_power(m: Any = UNKNOWN, **_: Any) -> NumpyArray:
        return points(1 << m if type(m) is int and 0 <= m <= MOST_EXPONENT else UNKNOWN)

    engine = Namespace(
        random=natives.function(lambda n=1, **_: points(n)),
        random_base2=natives.function(of_power),
        integers=natives.function(lambda *_, **__: UNKNOWN),
    )
    same = natives.function(lambda *_: engine)
    engine.names |= {"reset": same, "fast_forward": same}
    return engine


def _like(sample: Any) -> Any:
    shape = shape_of(sample)
    return UNKNOWN if shape is None else NumpyArray(np.dtype(np.float64), tuple(map(_size, shape)))


def _size(size: Any) -> int | None:
    return size if type(size) is int else None
