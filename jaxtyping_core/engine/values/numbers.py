"""The numbers of arrays of JAX, where the program makes them of numbers that are known: those of ints and bools alone."""

from __future__ import annotations

from typing import Any

import jax
import numpy as np
from jax.extend.core import Literal, Var

from ...domain.values import PYTHON_NUMBERS
from . import arrays

#: Numbers of an array of which these are kept.
MOST = 4096
#: What has no array of JAX in it.
PLAIN = (*PYTHON_NUMBERS, str, np.ndarray, np.generic, np.dtype, type, type(...))
#: Where JAX keeps the numbers of constants, by their variables. It is not public: without it, those of constants are not known.
CONSTANTS = "constvar_to_val"
#: The numbers of each variable of JAX, and the literals that are no samples of what is not known, by their ids.
_known: dict[Any, np.ndarray[Any, Any]] = {}
_literals: dict[int, Any] = {}


def forget() -> None:
    """A program begins."""
    _known.clear()
    _literals.clear()


def are_kept(aval: Any) -> bool:
    """Whether the numbers of an array are kept, if they are known."""
    dtype, shape = getattr(aval, "dtype", None), getattr(aval, "shape", ())
    if dtype is None or not (jax.numpy.issubdtype(dtype, np.integer) or dtype == np.bool_):
        return False
    return all(type(size) is int for size in shape) and int(np.prod(shape, dtype=float)) <= MOST


def of_variable(variable: Any) -> np.ndarray[Any, Any] | None:
    """The numbers in a variable, or those that it is itself."""
    if isinstance(variable, Literal):
        return np.asarray(variable.val, variable.aval.dtype) if are_kept(variable.aval) else None
    return _known.get(variable)


def of(value: Any) -> np.ndarray[Any, Any] | None:
    """The numbers of an array of JAX."""
    place = place_of(value)
    if isinstance(place, Literal):
        return of_variable(place) if id(place) in _literals else None
    return _known.get(place)


def place_of(value: Any) -> Any:
    """The variable that an array is in JAX's equations, or the literal."""
    while isinstance(value, jax.core.Tracer):
        inner = getattr(value, "val", None)
        value = getattr(value, "primal", None) if inner is None else inner
    return value if isinstance(value, (Var, Literal)) else None


def keep(variable: Any, numbers: np.ndarray[Any, Any]) -> None:
    """The numbers in a variable are known, unless it stands for several arrays."""
    if not arrays.is_made_up(variable):
        _known[variable] = numbers


def keep_constant(value: Any) -> None:
    """An array that is a constant to JAX is none of a sample: its numbers are known."""
    place, held = place_of(value), constant(value)
    if isinstance(place, Literal):
        _literals[id(place)] = place
    elif held is not None:
        keep(place, held)


def constant(value: Any) -> np.ndarray[Any, Any] | None:
    """The numbers of an array that is a constant to JAX: samples of what is not known are such, too."""
    variable = arrays.variable_of(value)
    return held_by(value) if variable is not None and are_kept(variable.aval) else None


def held_by(value: Any) -> np.ndarray[Any, Any] | None:
    """The same for numbers of any kind."""
    variable = arrays.variable_of(value)
    while isinstance(getattr(value, "val", None), jax.core.Tracer):
        value = value.val
    constants = getattr(getattr(getattr(value, "_trace", None), "frame", None), CONSTANTS, {})
    held = constants.get(variable)
    return None if held is None or isinstance(held, jax.core.Tracer) else np.array(held, variable.aval.dtype)


def variables_in(value: Any) -> set[Any] | None:
    """The variables of the arrays in the arguments of a call; None where some are in objects that are not looked into."""
    if value is None or isinstance(value, PLAIN):
        return set()
    if arrays.is_array(value):
        return {arrays.variable_of(value)}
    if type(value) is dict:
        value = [*value.values()]
    if isinstance(value, slice):
        value = [value.start, value.stop, value.step]
    if type(value) not in (list, tuple):
        return None
    parts = [variables_in(part) for part in value]
    return None if None in parts else set().union(*(part for part in parts if part is not None))


def are_same(first: Any, second: Any) -> bool:
    """Whether no numbers tell two arrays apart."""
    if not (_known or _literals):
        return True
    numbers, others = of(first), of(second)
    if numbers is None or others is None:
        return numbers is others
    return np.array_equal(numbers, others)
