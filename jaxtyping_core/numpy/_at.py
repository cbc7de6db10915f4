"""`x.at[index]`: changed copies of an array."""

from __future__ import annotations

from typing import Any

import jax

from jaxtyping_core import dtypes
from jaxtyping_core.errors import PromotionError
from jaxtyping_core.numpy import _context, _operands, _rules
from jaxtyping_core.numpy._array import Array, made, unwrap
from jaxtyping_core.promotion import resolve


class At:
    """`x.at`; index it."""

    __slots__ = ("_array",)

    def __init__(self, array: Array) -> None:
        self._array = array

    def __getitem__(self, index: Any) -> AtIndex:
        return AtIndex(self._array, unwrap(index))


class AtIndex:
    """`x.at[index]`: its methods return a copy of `x` with other elements at `index`.

    The copy has the dtype of `x`. If the promotion system in force would promote `x` and the value to another
    dtype, that is a `PromotionError`. JAX only warns, and converts. The other arguments are those of
    ``jax.Array.at``.
    """

    __slots__ = ("_array", "_index")

    def __init__(self, array: Array, index: Any) -> None:
        self._array, self._index = array, index

    def __repr__(self) -> str:
        return f"AtIndex({self._array!r}, {self._index!r})"

    def get(self, **kwargs: Any) -> Array:
        """The elements at the index."""
        elements = self._array.value.at[self._index].get(**unwrap(kwargs))
        if kwargs.get("fill_value") is not None:
            _operands.verify(kwargs["fill_value"], elements)
        return made(elements)

    def apply(self, func: Any, **kwargs: Any) -> Array:
        """The elements at the index replaced by what `func` returns for them."""
        changed = self._array.value.at[self._index].apply(lambda value: unwrap(func(made(value))), **kwargs)
        return made(changed)


def _update(name: str, doc: str) -> Any:
    def method(self: AtIndex, values: Any, **kwargs: Any) -> Array:
        array = self._array.value
        with jax.numpy_dtype_promotion("strict"):
            update = getattr(array.at[self._index], name)
            return made(update(fitting(array, unwrap(values)), **unwrap(kwargs)))

    method.__name__, method.__qualname__, method.__doc__ = name, f"AtIndex.{name}", doc
    return method


def fitting(array: Any, values: Any) -> Any:
    """`values` in the dtype of `array`."""
    system, x64 = _context.current(), jax.config.jax_enable_x64
    ranked = _context.ranked(system)
    own = _operands.node(_operands.key(array, ranked))
    other = _operands.node(_operands.key(values, ranked))
    (target, _) = _rules.targets("join", (own, other), system, x64)
    if target is None or dtypes.numpy_dtype(resolve(target, x64)) != array.dtype:
        raise PromotionError(
            f"cannot store a value of {other!r} in an array of {array.dtype.name!r}: in promotion system "
            f"{system!r} they promote to {target!r}. Convert one of them first, e.g. value.astype({array.dtype.name!r})."
        )
    converter = _operands.converter(_operands.key(values, False), array.dtype.name, x64)
    return values if converter is None else converter(values)


#: The methods of ``x.at[index]`` that take values.
UPDATES = {
    "set": "The elements replaced.",
    "add": "The elements increased.",
    "subtract": "The elements decreased.",
    "multiply": "The elements multiplied.",
    "mul": "The elements multiplied.",
    "divide": "The elements divided.",
    "power": "The elements raised to a power.",
    "min": "The lesser of old and new.",
    "max": "The greater of old and new.",
}
for _name, _doc in UPDATES.items():
    setattr(AtIndex, _name, _update(_name, _doc))
