"""What JAX makes of abstract values that are no arrays of JAX."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import arrays
from .dispatch import ByKind
from .unknowns import AbstractScalar, ArrayLike, NumpyArray


def as_array(value: Any) -> Any:
    """The array that JAX makes of an abstract value; the value itself if it makes none, or if it is an array or a real object."""
    return _ARRAYS.find(value)(value)


_ARRAYS: ByKind[Callable[[Any], Any]] = ByKind(lambda value: value)
_ARRAYS.of(AbstractScalar)(arrays.of_number)
_ARRAYS.of(NumpyArray)(arrays.of_numpy)
_ARRAYS.of(ArrayLike)(lambda value: value.array)
