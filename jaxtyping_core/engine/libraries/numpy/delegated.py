"""Functions of NumPy that ask their first argument for its own method: of an array of JAX, they give an array of JAX.

The source is `numpy/_core/fromnumeric.py`: `_wrapfunc`, `_wrapreduction`, and `mean`, `std` and `var`. Others convert the array.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np

from ...values import arrays
from ...values.unknowns import Partial

if TYPE_CHECKING:
    from ...interpreter import Interpreter

#: The methods by the functions that ask for them.
METHODS = {
    **{
        name: name
        for name in [
            "all",
            "any",
            "argmax",
            "argmin",
            "cumprod",
            "cumsum",
            "max",
            "mean",
            "min",
            "nonzero",
            "prod",
            "repeat",
            "reshape",
            "round",
            "searchsorted",
            "squeeze",
            "std",
            "sum",
            "swapaxes",
            "transpose",
            "var",
        ]
    },
    "amax": "max",
    "amin": "min",
    "around": "round",
}
#: Parameters that JAX's method has no name for: what they are comes first.
FIRST = {"reshape": ("shape", "newshape"), "transpose": ("axes",)}
#: Functions that only index the array, or ask it for an attribute.
SAME = {name: getattr(jnp, name) for name in ("flip", "moveaxis", "real", "imag")}


def call(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What such a call gives; NotImplemented for others."""
    name = getattr(f, "__name__", "")
    is_delegated = name in METHODS or name in SAME
    if not is_delegated or not args or f is not getattr(np, name, None) or kwargs.get("out") is not None:
        return NotImplemented
    array, *others = args
    if not (arrays.is_array(array) or isinstance(array, Partial)):
        return NotImplemented
    kwargs = {key: value for key, value in kwargs.items() if key != "out"}
    if name in SAME:
        return interpreter.call(SAME[name], args, kwargs)
    others += [kwargs.pop(key) for key in FIRST.get(name, ()) if key in kwargs]
    return interpreter.call(interpreter.attribute(array, METHODS[name]), others, kwargs)
