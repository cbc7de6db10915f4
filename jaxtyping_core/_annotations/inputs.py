"""The types of inputs. They are permissive and simple unions, as JAX's typing roadmap asks.

All of them work in `isinstance`. Source: https://docs.jax.dev/en/latest/jep/12049-type-annotations.html.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import Any, SupportsIndex

import numpy as np

from jaxtyping_core import dtypes
from jaxtyping_core._annotations.array import Array
from jaxtyping_core._annotations.scalars import ROWS


class _DuckMeta(type):
    """Answers `isinstance` by a function. A `Protocol` will not do: typeguard ignores its properties."""

    accepts: Callable[[Any], bool]

    def __instancecheck__(cls, instance: Any) -> bool:
        return cls.accepts(instance)


class SupportsDType(metaclass=_DuckMeta):
    """Anything with a `dtype` that is a ``numpy.dtype``."""

    @staticmethod
    def accepts(instance: Any) -> bool:
        """Whether `instance` has one. Arrays of JAX's extended dtypes (keys) have another kind of dtype."""
        return isinstance(getattr(instance, "dtype", None), np.dtype)


class Sizes(metaclass=_DuckMeta):
    """``Sequence[SupportsIndex]`` in a form that `isinstance` takes, and that looks at every item."""

    @staticmethod
    def accepts(instance: Any) -> bool:
        """Whether `instance` is a sequence of sizes; JAX refuses strings and bytes as shapes."""
        return (
            isinstance(instance, Sequence)
            and not isinstance(instance, str | bytes | bytearray)
            and all(isinstance(size, SupportsIndex) for size in instance)
        )


class _TupleOf(types.GenericAlias):
    """``tuple[int, ...]`` in a form that `isinstance` takes, and that looks at every item."""

    __slots__ = ()

    def __instancecheck__(self, instance: Any) -> bool:
        return isinstance(instance, tuple) and all(isinstance(item, self.__args__[0]) for item in instance)


def _extension_scalars() -> list[type]:
    """The scalar types of ml_dtypes; they are no ``numpy.number``."""
    scalars = [dtypes.numpy_dtype(row.name).type for row in ROWS.values() if row.name in dtypes.available()]
    return [scalar for scalar in scalars if not issubclass(scalar, np.number | np.bool | np.void)]


#: What JAX converts to an array by itself: arrays, tracers, NumPy arrays and scalars, Python scalars.
#: No lists and tuples: a function of ``jax.numpy`` refuses them.
ArrayLike: Any = reduce(
    or_, _extension_scalars(), Array | np.ndarray | np.bool | np.number | bool | int | float | complex
)

#: What names a dtype: a string, a class (of this package, NumPy, ``jax.numpy`` or builtin), a
#: ``numpy.dtype``, or anything with a `dtype`.
DTypeLike: Any = str | type | np.dtype | SupportsDType

#: What gives a shape: a sequence of sizes with `__index__`, or one size alone.
ShapeLike: Any = SupportsIndex | Sizes

#: A dtype as functions return it.
DType: Any = np.dtype

#: A shape as functions return it: ``tuple[int, ...]``.
Shape: Any = _TupleOf(tuple, (int, ...))
