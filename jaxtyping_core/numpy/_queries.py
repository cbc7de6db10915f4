"""Questions about dtypes, answered by the promotion system in force, and the other queries of a namespace."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np

import jaxtyping_core as jc
from jaxtyping_core import dtypes
from jaxtyping_core.lattice import Lattice
from jaxtyping_core.numpy._array import unwrap
from jaxtyping_core.numpy._context import current


def result_type(*arrays_and_dtypes: Any, system: str | Lattice | None = None) -> np.dtype[Any]:
    """The common dtype of arrays, scalars and dtypes, under the promotion system in force.

    Raises:
        PromotionError: they have no common dtype.
        UnknownNameError: an argument is neither a value nor a dtype.
    """
    chosen = current() if system is None else system
    promotion = jc.result_type(*unwrap(arrays_and_dtypes), system=chosen)
    return dtypes.numpy_dtype(dtypes.canonical(promotion.dtype.name, jax.config.jax_enable_x64))


def promote_types(a: Any, b: Any, *, system: str | Lattice | None = None) -> np.dtype[Any]:
    """The dtype of ``x + y`` for arrays of dtypes `a` and `b`; errors as for `result_type`."""
    chosen = current() if system is None else system
    dtype = jc.promote_types(a, b, system=chosen).dtype
    return dtypes.numpy_dtype(dtypes.canonical(dtype.name, jax.config.jax_enable_x64))


def can_cast(from_: Any, to: Any, /, *, system: str | Lattice | None = None) -> bool:
    """Whether the promotion system in force converts an array or dtype `from_` to `to` implicitly.

    Source: https://data-apis.org/array-api/2025.12/API_specification/generated/array_api.can_cast.html
    """
    source = getattr(from_, "dtype", from_)
    try:
        return promote_types(source, to, system=system) == result_type(to, system=system)
    except jc.PromotionError:
        return False


def size(a: Any, axis: int | None = None) -> int:
    """The number of elements of `a`, or its size along an axis."""
    return int(np.size(unwrap(a)) if axis is None else np.shape(unwrap(a))[axis])


def shape(a: Any) -> tuple[int, ...]:
    """The shape of `a`."""
    return np.shape(unwrap(a))


def ndim(a: Any) -> int:
    """The number of axes of `a`."""
    return np.ndim(unwrap(a))
