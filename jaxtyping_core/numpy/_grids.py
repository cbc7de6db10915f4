"""What is indexed to make arrays: ``r_``, ``c_``, ``mgrid``, ``ogrid``."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp

from jaxtyping_core import dtypes
from jaxtyping_core.numpy import _context, _operands, _plans, _rules
from jaxtyping_core.numpy._array import unwrap, wrap

_WHOLE = (int, type(None))


class Grid:
    """An object of ``jax.numpy`` that makes grids of the slices it is indexed with; JAX's arguments and errors."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return f"jaxtyping_core.numpy.{self._name}"

    def __getitem__(self, key: Any) -> Any:
        """
        Raises:
            PromotionError: the parts have no common dtype.
        """
        return wrap(_made(self._name, unwrap(key)))


class Concatenation(Grid):
    """As `Grid`; arrays, scalars and lists promote with the slices."""

    __slots__ = ()

    def __getitem__(self, key: Any) -> Any:
        """
        Raises:
            PromotionError: the parts have no common dtype.
        """
        items = list(unwrap(key) if isinstance(key, tuple) else (unwrap(key),))
        first = 1 if items and isinstance(items[0], str) else 0  # the axis, as text
        system = _context.current()
        parts = [_part(item) for item in items[first:]]
        items[first:] = _operands.convert("join", parts, system, _context.ranked(system))
        return wrap(_made(self._name, tuple(items)))


def _part(item: Any) -> Any:
    """One part of a concatenation, as a scalar or an array.

    Raises:
        TypeError: it is neither, nor a slice or list.
    """
    if isinstance(item, slice):
        return _made("r_", item)
    return jnp.asarray(item) if isinstance(item, list | tuple) else item


def _made(name: str, key: Any) -> Any:
    """What JAX makes of `key`.

    Raises:
        OverflowError: a slice has an integer that JAX's default dtype cannot hold.
    """
    integers = dtypes.default_dtype("i", jax.config.jax_enable_x64)
    for item in key if isinstance(key, tuple) else (key,):
        if isinstance(item, slice) and all(
            isinstance(part, _WHOLE) for part in (item.start, item.stop, item.step)
        ):
            _operands.verify_range(range(item.start or 0, item.stop or 0, item.step or 1), integers)
    with jax.numpy_dtype_promotion("strict"):
        out = getattr(jnp, name)[key]
    explicit = not isinstance(key, slice) and any(hasattr(item, "dtype") for item in key)
    system = _context.current()
    return out if system in _rules.OF_JAX else _plans.settled(out, system, explicit)


GRIDS: dict[str, Grid] = {
    **{name: Grid(name) for name in ("mgrid", "ogrid")},
    **{name: Concatenation(name) for name in ("r_", "c_")},
}
