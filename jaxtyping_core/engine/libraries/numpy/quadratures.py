"""`numpy.polynomial`: the points and the weights of Gauss's quadratures, of which the dtype and the length are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ...values import arrays
from ...values.callables import Namespace
from ...values.unknowns import UNKNOWN, NumpyArray, is_dim, is_scalar

if TYPE_CHECKING:
    from ..natives import Natives

#: The functions that give both, by their modules.
FUNCTIONS = {
    "chebyshev": "chebgauss",
    "hermite": "hermgauss",
    "hermite_e": "hermegauss",
    "laguerre": "laggauss",
    "legendre": "leggauss",
}


def _points_and_weights(deg: Any = UNKNOWN) -> Any:
    """Two arrays of as many numbers as the degree says."""
    size = arrays.size_of(deg) if is_scalar(deg, int) else deg
    if type(size) is int and size <= 0:
        return UNKNOWN
    is_known = type(size) is int or is_dim(size)

    def of_degree() -> NumpyArray:
        array = NumpyArray(np.dtype("float64"), (size if type(size) is int else None,))
        array.sizes = (size,) if is_known else None
        return array

    return of_degree(), of_degree()


def namespaces(natives: Natives) -> dict[str, Any]:
    """The modules as a program sees them."""
    function: Callable[..., Any] = natives.function(_points_and_weights)
    root = "numpy.polynomial"
    modules = {
        module: Namespace(f"{root}.{module}", **{name: function}) for module, name in FUNCTIONS.items()
    }
    return {root: Namespace(root, **modules), **{f"{root}.{name}": each for name, each in modules.items()}}
