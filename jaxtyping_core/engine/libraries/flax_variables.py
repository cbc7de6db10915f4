"""Items of the arrays in variables of Flax's `nnx`: ``layer.kernel[...]``, and ``count[...] += 1``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..values import arrays
from ..values.unknowns import UNKNOWN

if TYPE_CHECKING:
    from ..machine import Machine

#: Where Flax has the class, whose methods a class of the program may have replaced.
MODULE = "flax.nnx.variablelib"


def has(method: str, holder: Any) -> bool:
    """Whether a method of an object is that of Flax's variables."""
    return getattr(getattr(type(holder), method, None), "__module__", None) == MODULE


def array_in(holder: Any) -> Any:
    """What a variable holds; `UNKNOWN` if the program's functions, which are called then, refuse."""
    try:
        return holder.value
    except Exception:  # code of objects may raise anything: then no more is known
        return UNKNOWN


def set_item(machine: Machine, holder: Any, key: Any, value: Any) -> bool:
    """Assign to items of the array in a variable; whether there is one.

    That is as ``array.at[key].set(value)``, which keeps the dtype and the sizes, but that all of it may be replaced by an array
    of the same that is weak, or is not.
    """
    array = array_in(holder)
    known = arrays.known_of(array)
    if known is None:
        return False
    if arrays.holds_unknown([array, key, value]):
        machine.set_attribute(holder, "value", arrays.of_known(replace(known, weak=None)))
    else:
        machine.real(type(holder).__setitem__, [holder, key, value], {})
    return True
