"""The operators and methods of the array, which are functions of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import numpy as np

from jaxtyping_core.numpy._array import Array, read_only, stands_for_array
from jaxtyping_core.numpy._at import At

Function = Callable[..., Any]

#: The binary operators that have a reflected form, with their functions.
REFLECTED = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "truediv": "divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "divmod": "divmod",
    "pow": "power",
    "matmul": "matmul",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
    "lshift": "left_shift",
    "rshift": "right_shift",
}
COMPARISONS = {
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}
UNARY = {"neg": "negative", "pos": "positive", "abs": "abs", "invert": "invert"}

#: The methods that are functions with the array as their first argument.
METHODS = (
    "all", "any", "argmax", "argmin", "argpartition", "argsort", "choose", "clip", "compress", "conj", "conjugate",
    "cumprod", "cumsum", "diagonal", "dot", "max", "mean", "min", "nonzero", "prod", "ptp", "ravel", "repeat",
    "round", "searchsorted", "sort", "squeeze", "std", "sum", "swapaxes", "take", "trace", "var",
)  # fmt: skip
#: The methods that take a tuple, or its items one by one.
SPREAD = ("reshape", "transpose")
PROPERTIES = {"T": "transpose", "mT": "matrix_transpose", "real": "real", "imag": "imag"}

#: What an operator computes with; anything else may have an operator of its own. JAX's class takes long to ask.
_OPERANDS = (float, int, complex, np.ndarray, np.generic, jax.Array)


def install(functions: Mapping[str, Function]) -> None:
    """Give `Array` its operators, methods and properties, from the `functions` of the table."""
    made: dict[str, Any] = {}
    for name, function in (REFLECTED | COMPARISONS).items():
        made[f"__{name}__"] = _operator(functions[function])
    for name, function in REFLECTED.items():
        made[f"__r{name}__"] = _reflected(functions[function])
    # A function whose first parameter is the array is the method as it is.
    for name, function in (UNARY | dict(zip(METHODS, METHODS, strict=True))).items():
        setattr(Array, f"__{name}__" if name in UNARY else name, functions[function])
    made["__round__"] = _round(functions["round"])
    for name in SPREAD:
        made[name] = _spread(functions[name])
    for name, item in made.items():
        item.__name__, item.__qualname__ = name, f"Array.{name}"
        setattr(Array, name, item)
    properties = {
        name: read_only(functions[function], functions[function].__doc__)
        for name, function in PROPERTIES.items()
    }
    properties["at"] = read_only(At, "``x.at[index].set(value)`` and its kin: a changed copy.")
    for name, descriptor in properties.items():
        setattr(Array, name, descriptor)


def _operator(function: Function) -> Function:
    def operate(self: Array, other: Any) -> Any:
        if type(other) is Array or isinstance(other, _OPERANDS) or stands_for_array(other):
            return function(self, other)
        return NotImplemented

    return operate


def _reflected(function: Function) -> Function:
    def operate(self: Array, other: Any) -> Any:
        # Python asks an array on the right where the left one is none of the layer; flax asks it for its parameter.
        if isinstance(other, _OPERANDS) or type(other) is Array:
            return function(other, self)
        return NotImplemented

    return operate


def _round(function: Function) -> Function:
    def rounded(self: Array, ndigits: int | None = None) -> Any:
        return function(self, 0 if ndigits is None else ndigits)

    return rounded


def _spread(function: Function) -> Function:
    def method(self: Array, *args: Any, **kwargs: Any) -> Any:
        spread = len(args) > 1 or (len(args) == 1 and not isinstance(args[0], tuple | list | None))
        return function(self, args, **kwargs) if spread else function(self, *args, **kwargs)

    method.__doc__ = function.__doc__
    return method
