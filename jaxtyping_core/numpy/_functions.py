"""From a row of the table to a function."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable
from typing import Any

from jaxtyping_core.numpy import _calls, _ufuncs
from jaxtyping_core.numpy._rows import Row


def target(row: Row) -> Callable[..., Any]:
    """The function of JAX that `row` lowers to."""
    function: Callable[..., Any] = getattr(_module(row), row.target.rpartition(".")[2])
    return function


def make(row: Row) -> Callable[..., Any]:
    """The function that `row` describes.

    It takes the arguments of JAX's function, and `system=`: a promotion system for this call.
    """
    lowered = target(row)
    function = _calls.function(row, lowered)
    functools.update_wrapper(function, lowered)
    function.__module__ = row.module
    function.__name__ = function.__qualname__ = row.name
    function.__doc__ = _doc(row)
    _ufuncs.give_methods(function, row, lowered)
    return function


def make_all(rows: Iterable[Row]) -> dict[str, Callable[..., Any]]:
    """The functions of `rows` that the installed JAX has, by their names."""
    return {row.name: make(row) for row in rows if hasattr(_module(row), row.target.rpartition(".")[2])}


def _module(row: Row) -> Any:
    return importlib.import_module(row.target.rpartition(".")[0])


def _doc(row: Row) -> str:
    promoted = {
        "join": "The arrays are first promoted to their common dtype.",
        "question": "The arrays are first promoted to their common dtype. A Python integer outside its range is compared by value.",
        "clip": "The arrays are first promoted to their common dtype. A Python integer outside its range is no bound.",
        "number": "The arrays are first promoted to their common dtype. Under NumPy's system it is never bool.",
        "divide": "The arrays are first promoted to their common dtype, integers to a floating dtype.",
        "quantile": "The arrays are first promoted to their common dtype, integers to a floating dtype. Under JAX's systems, `a` alone decides.",
        "float": "The arrays are first promoted to their common dtype, integers to a floating dtype.",
        "made": "The arrays are first promoted to their common dtype.",
        "each divide": "The arrays are first promoted to their common dtype, integers to a floating dtype.",
        "float power": "The arrays are first promoted to their common dtype, integers to a floating dtype.",
        "double": "The arrays are first promoted to their common dtype, integers to a floating dtype.",
        "power": "The arrays are first promoted to their common dtype, but an integer exponent keeps its dtype.",
        "alone": "Arrays keep their dtypes.",
        "sum": "The result has the dtype of the array. For bools and integers, the promotion system decides its width.",
    }.get(row.rule, "The promotion system decides the dtype of Python scalars.")
    return (
        f"{row.doc}\n\nShapes and arguments are as for ``{row.target}``. {promoted}\n\n"
        "Args:\n    system: the promotion system for this call. None uses the one in force.\n\n"
        "Raises:\n    PromotionError: the arrays have no common dtype in the promotion system.\n"
        "    TypeError: an argument is not an array, or the function is not defined for its dtype.\n"
        "    ValueError: the shapes are incompatible.\n"
    )
