"""From a row of the table to a function."""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import jax
import numpy as np

from jaxtyping_core import dtypes
from jaxtyping_core.lattice import Lattice
from jaxtyping_core.numpy import _context, _operands, _rules
from jaxtyping_core.numpy._array import Array, unwrap, wrap
from jaxtyping_core.numpy._rows import Row
from jaxtyping_core.promotion import resolve

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
    function = _binary(row, lowered) if row.elementwise else _general(row, lowered)
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
        "create": "A Python scalar becomes an array as the promotion system has it.",
    }[row.rule]
    return (
        f"{row.doc}\n\nShapes and arguments are those of ``{row.target}``. {promoted}\n\n"
        "Args:\n    system: a promotion system for this call; the one in force if it is None.\n\n"
        "Raises:\n    PromotionError: the arrays have no common dtype in the promotion system.\n"
        "    TypeError: an argument is no array, or has a dtype that the function is not defined for.\n"
        "    ValueError: the shapes do not fit together.\n"
    )


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
        if first is not None:
            x1 = first(x1)
        if second is not None:
            x2 = second(x2)
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


def _general(row: Row, lowered: Callable[..., Any]) -> Callable[..., Any]:
    """Any other function: its array arguments are found by position or by name."""
    settle = _SETTLERS.get(row.rule, _convert)

    def function(*args: Any, system: str | Lattice | None = None, **kwargs: Any) -> Any:
        if system is None:
            system = _context.current()
        arguments, keywords = list(unwrap(args)), unwrap(kwargs)
        finish = settle(row, arguments, keywords, system)
        with jax.numpy_dtype_promotion("strict"):
            out = lowered(*arguments, **keywords)
        return wrap(finish(out) if finish else out)

    return function


Finish = Callable[[Any], Any] | None


class _Slot(NamedTuple):
    """The place of array arguments in a call, and their values; `many` where it holds a list of them."""

    container: Any
    index: Any
    values: list[Any]
    many: bool


def _slots(row: Row, args: list[Any], kwargs: dict[str, Any]) -> Iterator[_Slot]:
    """The arguments of a call that take part in promotion."""
    for place, name, many in row.operands:
        if many == "*":
            yield _Slot(args, slice(place, None), args[place:], True)
            continue
        container, index = (args, place) if place < len(args) else (kwargs, name)
        value = args[place] if container is args else kwargs.get(name)
        if many and isinstance(value, list | tuple):
            yield _Slot(container, index, list(value), True)
        elif value is not None:
            yield _Slot(container, index, [value], False)


def _convert(row: Row, args: list[Any], kwargs: dict[str, Any], system: str | Lattice) -> Finish:
    """Convert the array arguments in place, as the rule of the row says."""
    slots = list(_slots(row, args, kwargs))
    rule = "alone" if row.rule == "sum" else row.rule
    operands = [value for slot in slots for value in slot.values]
    if operands:
        converted = iter(_operands.convert(rule, operands, system, _context.ranked(system)))
        for container, index, values, many in slots:
            new = [next(converted) for _ in values]
            container[index] = new if many else new[0]
    return None


def _sum(row: Row, args: list[Any], kwargs: dict[str, Any], system: str | Lattice) -> Finish:
    """As `_convert`; where the system has its own dtype for sums, JAX is asked for it."""
    _convert(row, args, kwargs, system)
    place = _dtype_place(row)
    if kwargs.get("dtype") is None and (len(args) <= place or args[place] is None):
        value = args[0] if args else kwargs[row.operands[0].name]
        node = _operands.node(_operands.key(value, False))
        wanted = _rules.sum_dtype(node, system, jax.config.jax_enable_x64)
        if wanted is not None:
            if len(args) > place:
                args[place] = dtypes.numpy_dtype(wanted)
            else:
                kwargs["dtype"] = dtypes.numpy_dtype(wanted)
    return None


@functools.cache
def _dtype_place(row: Row) -> int:
    """The position of the parameter `dtype`; past all arguments if it is keyword-only."""
    parameters = inspect.signature(target(row)).parameters
    named = parameters["dtype"].kind is inspect.Parameter.KEYWORD_ONLY
    return len(parameters) if named else list(parameters).index("dtype")


def _create(row: Row, args: list[Any], kwargs: dict[str, Any], system: str | Lattice) -> Finish:
    """Arrays made of Python scalars, or of nothing, have the dtype that the system gives them."""

    def finish(out: Any) -> Any:
        return jax.tree.map(functools.partial(_settled, system=system, explicit=explicit), out)

    explicit = kwargs.get("dtype") is not None or any(hasattr(value, "dtype") for value in args)
    return None if system in _rules.OF_JAX else finish


def _settled(out: Any, system: str | Lattice, explicit: bool) -> Any:
    """`out` as a Python scalar of its kind would be, where it has the default dtype by JAX's rules."""
    x64 = jax.config.jax_enable_x64
    kind = np.dtype(out.dtype).kind
    default = kind in "ifc" and out.dtype == dtypes.numpy_dtype(dtypes.default_dtype(kind, x64))
    if not out.weak_type and (explicit or not default):
        return out
    scalar = {"i": int, "f": float, "c": complex}[kind]
    (target,) = _rules.targets("alone", [_operands.node(scalar)], system, x64)
    if target is None:
        return out
    return _operands.caster(target if out.weak_type else resolve(target, x64), x64)(out)


_SETTLERS: dict[str, Any] = {"sum": _sum, "create": _create}
