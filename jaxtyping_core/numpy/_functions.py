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
        "join": "The arrays become their common dtype first.",
        "question": "The arrays become their common dtype first; a Python integer that it cannot hold is an array.",
        "clip": "The arrays become their common dtype first; a Python integer beyond it is no bound.",
        "number": "The arrays become their common dtype first; NumPy has no bools here.",
        "divide": "The arrays become their common dtype first, integers a floating one.",
        "quantile": "The arrays become their common dtype first, integers a floating one; under JAX's systems that of `a` alone.",
        "float": "The arrays become their common dtype first, integers a floating one.",
        "made": "The arrays become their common dtype first.",
        "each divide": "The arrays become their common dtype first, integers a floating one.",
        "float power": "The arrays become their common dtype first, integers a floating one.",
        "double": "The arrays become their common dtype first, integers a floating one.",
        "power": "The arrays become their common dtype first, but an integer exponent stays one.",
        "alone": "Arrays keep their dtypes.",
        "sum": "The dtype is kept; sums of bools and integers are as wide as the system has them.",
    }.get(row.rule, "A Python scalar becomes an array as the promotion system has it.")
    return (
        f"{row.doc}\n\nShapes and arguments are those of ``{row.target}``. {promoted}\n\n"
        "Args:\n    system: a promotion system for this call; the one in force if it is None.\n\n"
        "Raises:\n    PromotionError: the arrays have no common dtype in the promotion system.\n"
        "    TypeError: an argument is no array, or has a dtype that the function is not defined for.\n"
        "    ValueError: the shapes do not fit together.\n"
    )
