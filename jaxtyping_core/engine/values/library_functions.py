"""What two functions of libraries have in common, as data_objects has it of dataclasses."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from ...domain.values import PYTHON_NUMBERS
from ..libraries import registry
from . import arrays
from .unknowns import PURE_EXTERNAL, UNKNOWN, AbstractScalar, is_dim, is_scalar

#: What joins the values that functions hold.
Join = Callable[[Any, Any], Any]


def join(first: Any, second: Any, joined: Join) -> Any:
    """Functions that a library has made in two calls of one function, such as schedules of steps: one with what they hold
    in common. Numbers that differ are an array of any number in it.

    Others of one library may be called without harm where none of its functions does any, as two optimizers.
    """
    common = _of_code(first, second, joined)
    libraries = {str(function.__module__).partition(".")[0] for function in (first, second)}
    is_harmless = len(libraries) == 1 and all(map(registry.is_onlooker, libraries))
    return PURE_EXTERNAL if common is UNKNOWN and is_harmless else common


def _of_code(first: Any, second: Any, joined: Join) -> Any:
    """Functions of one code, each with what it holds."""
    held, others = _parts(first), _parts(second)
    if held is None or others is None or first.__code__ is not second.__code__ or len(held) != len(others):
        return UNKNOWN
    if first.__kwdefaults__ != second.__kwdefaults__:
        return UNKNOWN
    common = []
    for a, b in zip(held, others, strict=True):
        both = joined(a, b)
        if is_dim(both) or arrays.holds_unknown(both):
            both = joined(as_arrays(a), as_arrays(b))
        common.append(both)
    return UNKNOWN if arrays.holds_unknown(common) else _made_anew(first, common)


def _parts(function: Any) -> list[Any] | None:
    """What a function of a library holds: its variables of the functions around it, and defaults."""
    if str(function.__module__).partition(".")[0] in ("__program__", __name__.partition(".")[0]):
        return None  # stands for one of the program
    try:
        return [
            *(cell.cell_contents for cell in function.__closure__ or ()),
            *(function.__defaults__ or ()),
        ]
    except ValueError:  # a variable that has no value yet
        return None


def _made_anew(function: types.FunctionType, held: list[Any]) -> types.FunctionType:
    """The function, with this in place of what it holds."""
    count = len(function.__closure__ or ())
    made = types.FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        tuple(held[count:]),
        tuple(map(types.CellType, held[:count])),
    )
    made.__module__, made.__kwdefaults__ = function.__module__, function.__kwdefaults__
    return made


def as_arrays(value: Any) -> Any:
    """What JAX makes of a number, or of those in a list."""
    if type(value) in (list, tuple):
        return type(value)(map(as_arrays, value))
    if is_dim(value) or type(value) in PYTHON_NUMBERS:
        return arrays.of_number(AbstractScalar(int if is_dim(value) else type(value)))
    return arrays.of_number(value) if is_scalar(value) else value
