"""Objects of Flax's `nnx`: variables, with the items of the arrays in them (``layer.kernel[...]``), and notes of traces."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ...engine.values import arrays
from ...engine.values.unknowns import UNKNOWN

if TYPE_CHECKING:
    from ...engine.interpreter import Interpreter

#: The package of `nnx`, and its classes of notes of the trace at which another object was made.
NNX, NOTES = "flax.nnx", ("TraceState", "PytreeState")
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


def set_item(interpreter: Interpreter, holder: Any, key: Any, value: Any) -> bool:
    """Assign to items of the array in a variable; whether there is one.

    That is as ``array.at[key].set(value)``, which keeps the dtype and the sizes, but that all of it may be replaced by an array
    of the same that is weak, or is not.
    """
    array = array_in(holder)
    known = arrays.known_of(array)
    if known is None:
        return False
    if arrays.holds_unknown([array, key, value]):
        interpreter.set_attribute(holder, "value", arrays.of_known(replace(known, weak=None)))
    else:
        interpreter.real(type(holder).__setitem__, [holder, key, value], {})
    return True


def fields(value: Any) -> dict[str, Any] | None:
    """The attributes of a variable, which has them in slots."""
    if not type(value).__module__.startswith(NNX) or not hasattr(value, "_raw_value"):
        return None
    names = {name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())}
    return {name: getattr(value, name) for name in sorted(names) if hasattr(value, name)}


def is_current(value: Any) -> bool | None:
    """Whether the trace that an object notes is there; None for what is no note."""
    if type(value).__name__ not in NOTES or not type(value).__module__.startswith(NNX):
        return None
    return bool(getattr(value, "trace_state", value).is_valid())


def differentiated(function: Any, value: Any) -> Any:
    """What a gradient is like that a transformation gives: of a module, the state of its parameters."""
    if not str(getattr(function, "__module__", None)).startswith(f"{NNX}."):
        return value
    nnx = importlib.import_module(NNX)
    return nnx.state(value, nnx.Param) if isinstance(value, nnx.Module) else value
