"""From a row of the table to a function."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable
from typing import Any

import jax
import numpy as np
from jax import lax

from jaxtyping_core import dtypes
from jaxtyping_core.lattice import Lattice
from jaxtyping_core.numpy import _context, _operands, _plans
from jaxtyping_core.numpy._array import Array, wrap
from jaxtyping_core.numpy._rows import Row

#: JAX's own functions are compiled like this: inside a trace nothing is left of the call.
_INLINE: Any = getattr(getattr(jax, "Inline", None), "JAX_EARLY", True)


def strict(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` where any promotion that is not ours raises."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with jax.numpy_dtype_promotion("strict"):
            return function(*args, **kwargs)

    return call


def target(row: Row) -> Callable[..., Any]:
    """The function of JAX that `row` lowers to."""
    function: Callable[..., Any] = getattr(_module(row), row.target.rpartition(".")[2])
    return function


def make(row: Row) -> Callable[..., Any]:
    """The function that `row` describes.

    It takes the arguments of JAX's function, and `system=`: a promotion system for this call.
    """
    lowered = target(row)
    if row.elementwise:
        function = _unary(row, lowered) if len(row.operands) == 1 else _binary(row, lowered)
    else:
        function = _general(row, lowered)
    functools.update_wrapper(function, lowered)
    function.__module__ = row.module
    function.__name__ = function.__qualname__ = row.name
    function.__doc__ = _doc(row)
    return function


def make_all(rows: Iterable[Row]) -> dict[str, Callable[..., Any]]:
    """The functions of `rows` that the installed JAX has, by their names."""
    return {row.name: make(row) for row in rows if hasattr(_module(row), row.target.rpartition(".")[2])}


def _module(row: Row) -> Any:
    return importlib.import_module(row.target.rpartition(".")[0])


def _doc(row: Row) -> str:
    promoted = {
        "join": "The arrays become their common dtype first.",
        "number": "The arrays become their common dtype first; NumPy has no bools here.",
        "divide": "The arrays become their common dtype first, integers a floating one.",
        "float": "The arrays become their common dtype first, integers a floating one.",
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


def _unary(row: Row, lowered: Callable[..., Any]) -> Callable[..., Any]:
    """A function of one array and nothing else."""
    compiled = jax.jit(strict(lowered), inline=_INLINE)
    plans: dict[Any, _operands.Converter | None] = {}
    context, config = _context._context, jax.config

    def function(x: Any, /, *, system: str | Lattice | None = None) -> Any:
        if type(x) is Array:
            x = x._value
        chosen: str | Lattice = context.value if system is None else system
        try:
            converter = plans[x.dtype, x.weak_type, chosen, config.jax_enable_x64]
        except (AttributeError, KeyError):  # a scalar, an array of NumPy, or a new combination
            converter = plan(x, chosen)
        return Array(_value=compiled(x if converter is None else converter(x)))

    def plan(x: Any, system: str | Lattice) -> _operands.Converter | None:
        ranked, x64 = _context.ranked(system), config.jax_enable_x64
        (converter,) = _operands.plan(row.rule, (_operands.key(x, ranked),), system, x64)
        if hasattr(x, "weak_type"):  # of one array alone the rank does not matter
            plans[x.dtype, x.weak_type, system, x64] = converter
        return converter

    return function


def _binary(row: Row, lowered: Callable[..., Any]) -> Callable[..., Any]:
    """A function of two arrays and nothing else. This is the path of the operators, so it is short."""
    rule = row.rule
    compiled = jax.jit(strict(lowered), inline=_INLINE)
    plans: dict[Any, _operands.Plan] = {}
    context, config, scalars = _context._context, jax.config, dtypes.PYTHON_SCALARS

    def function(x1: Any, x2: Any, /, *, system: str | Lattice | None = None) -> Any:
        if type(x1) is Array:
            x1 = x1._value
        if type(x2) is Array:
            x2 = x2._value
        chosen: str | Lattice = context.value if system is None else system
        try:
            if type(x2) in scalars:
                key = (x1.dtype, x1.weak_type, type(x2), None, chosen, config.jax_enable_x64)
            else:
                key = (x1.dtype, x1.weak_type, x2.dtype, x2.weak_type, chosen, config.jax_enable_x64)
            first, second = plans[key]
        except (AttributeError, KeyError):  # a scalar first, an array of NumPy, or a new combination
            first, second = plan(x1, x2, chosen)
        try:
            if first is not None:
                x1 = first(x1)
            if second is not None:
                x2 = second(x2)
        except OverflowError:
            if row.name not in _COMPARISONS:
                raise
            x1, x2 = _beyond(x1), _beyond(x2)
        return Array(_value=compiled(x1, x2))

    def plan(x1: Any, x2: Any, system: str | Lattice) -> _operands.Plan:
        ranked, x64 = _context.ranked(system), config.jax_enable_x64
        converters = _operands.plan(rule, (_operands.key(x1, ranked), _operands.key(x2, ranked)), system, x64)
        if not ranked and hasattr(x1, "weak_type"):
            if type(x2) in scalars:
                plans[x1.dtype, x1.weak_type, type(x2), None, system, x64] = converters
            elif hasattr(x2, "weak_type"):
                plans[x1.dtype, x1.weak_type, x2.dtype, x2.weak_type, system, x64] = converters
        return converters

    return function


_COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")


def _beyond(value: Any) -> Any:
    """What compares as `value` does where one of two is an integer that the dtype of the other cannot hold."""
    if isinstance(value, int):
        return np.int8(1 if value > 0 else -1)
    return lax.full_like(value, 0, "int8")


def _general(row: Row, lowered: Callable[..., Any]) -> Callable[..., Any]:
    """Any other function: its array arguments are found by position or by name.

    What strict mode let pass once is computed without it: it is the same then, and the mode costs a microsecond.
    """
    plans: dict[Any, _plans.Plan] = {}
    context, config = _context._context, jax.config

    def function(*args: Any, system: str | Lattice | None = None, **kwargs: Any) -> Any:
        chosen: str | Lattice = context.value if system is None else system
        key: list[Any] = [chosen, config.jax_enable_x64]
        values = [_plans.described(value, key) for value in args]
        if kwargs:
            for name, value in kwargs.items():
                key.append(name)
                kwargs[name] = _plans.described(value, key)
        known = plans.get(found := tuple(key))
        plan = known if known is not None else _plans.plan(row, lowered, values, kwargs, chosen)
        if plan is not _plans.NOTHING:
            _plans.perform(plan, values, kwargs)
        if known is not None:
            out = lowered(*values, **kwargs)
        else:
            with jax.numpy_dtype_promotion("strict"):
                out = lowered(*values, **kwargs)
            plans[found] = plan
        if plan.finish is not None:
            out = plan.finish(out)
        return Array(_value=out) if isinstance(out, jax.Array) else wrap(out)

    return function
