"""How a function of the layer is called: three ways, of which the shortest that fits is taken.

What JAX runs as one compiled program is compiled here with the conversions of its operands, so that of arrays the
promotion is done while tracing, once; JAX finds the program by dtypes and system. Python scalars and whatever else is
planned before the call. What is planned is looked up by dtypes and system as well.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax
import numpy as np
from jax import lax

from jaxtyping_core import dtypes, systems
from jaxtyping_core.lattice import Lattice
from jaxtyping_core.numpy import _context, _operands, _plans, _programs
from jaxtyping_core.numpy._array import PLAIN, Array, made, new, stands_for_array, unwrap
from jaxtyping_core.numpy._rows import Row

Function = Callable[..., Any]

#: Parameters that JAX casts to the dtype of the result, and the functions that have one and are no functions of indices.
_CAST = ("initial", "fill_value", "constant_values")
_CASTING = frozenset(
    (
        *("sum", "prod", "nansum", "nanprod", "max", "min", "amax", "amin", "nanmax", "nanmin", "minmax"),
        *("take", "take_along_axis", "compress", "extract", "pad"),
        *("unique", "unique_all", "unique_counts", "unique_inverse", "unique_values"),
        *("union1d", "intersect1d", "setdiff1d", "setxor1d"),
    )
)
_COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")


def function(row: Row, lowered: Function) -> Function:
    """The function that `row` describes, over JAX's function `lowered`."""
    general = planned(row, lowered)
    if row.elementwise:
        return _unary(row, lowered, general) if len(row.operands) == 1 else _binary(row, lowered, general)
    if row.rule == "power":
        return _power(row, lowered, general)
    if not row.operands or not _programs.is_one(row, lowered):
        return general
    make = functools.partial(_programs.program, row, lowered)
    if row.operands[-1].many == "*":
        return _programs.spread(general, make)
    if any(operand.many for operand in row.operands):
        return _programs.listed(general, make) if len(row.operands) == 1 else general
    return _programs.of_arrays(row, general, make, _CAST if row.name in _CASTING else ())


def _unary(row: Row, lowered: Function, general: Function) -> Function:
    """A function of one array and nothing else.

    It names the parameters of JAX's ufuncs: to take any would make a dict in every call.
    """
    program: Any = None

    def function(
        x: Any = _programs.ABSENT, *, system: str | Lattice | None = None, out: Any = None, where: Any = None
    ) -> Any:
        nonlocal program
        if type(x) is not Array or system is not None or out is not None or where is not None:
            return general(*_programs.present(x), **_programs.named(system=system, out=out, where=where))
        if program is None:
            program = _programs.program(row, lowered)
        array = new()
        array._Array__value = program(x._Array__value)
        return array

    return function


def _power(row: Row, lowered: Function, general: Function) -> Function:
    """A power: JAX looks at the number that an integer exponent is."""
    program: Any = None

    def function(x1: Any, x2: Any, /, *, system: str | Lattice | None = None) -> Any:
        nonlocal program
        if type(x1) is Array and type(x2) is Array and system is None and x2._Array__value.dtype.kind == "f":
            program = program or _programs.program(row, lowered)
            return made(program(x1._Array__value, x2._Array__value))
        return general(x1, x2, system=system)

    return function


def _binary(row: Row, lowered: Function, general: Function) -> Function:
    """A function of two arrays and nothing else. This is the path of the operators, so it is short."""
    rule, exact = row.rule, row.name in _COMPARISONS
    program: Any = None
    compiled: Any = None
    plans: dict[Any, _operands.Plan] = {}
    in_force, config, scalars = _context.in_force, jax.config, dtypes.PYTHON_SCALARS

    def function(
        x1: Any = _programs.ABSENT,
        x2: Any = _programs.ABSENT,
        *,
        system: str | Lattice | None = None,
        out: Any = None,
        where: Any = None,
    ) -> Any:
        nonlocal program, compiled
        if x2 is _programs.ABSENT or system is not None or out is not None or where is not None:
            return general(*_programs.present(x1, x2), **_programs.named(system=system, out=out, where=where))
        if type(x1) is Array:
            x1 = x1._Array__value
            if type(x2) is Array:
                if program is None:
                    program = _programs.program(row, lowered)
                array = new()
                array._Array__value = program(x1, x2._Array__value)
                return array
        elif type(x1) not in scalars and stands_for_array(x1):
            x1 = unwrap(x1)
        if type(x2) is Array:
            x2 = x2._Array__value
        elif type(x2) not in scalars and stands_for_array(x2):
            x2 = unwrap(x2)
        chosen: str | Lattice = in_force.value
        try:
            aval = x1.aval  # to ask the array itself takes three times as long
            if type(x2) in scalars:
                key = (aval.dtype, aval.weak_type, type(x2), None, chosen, config.jax_enable_x64)
            else:
                other = x2.aval
                key = (
                    aval.dtype,
                    aval.weak_type,
                    other.dtype,
                    other.weak_type,
                    chosen,
                    config.jax_enable_x64,
                )
            first, second = plans[key]
        except (AttributeError, KeyError):  # a scalar first, an array of NumPy, or a new combination
            first, second = plan(x1, x2, chosen)
        try:
            if first is not None:
                x1 = first(x1)
            if second is not None:
                x2 = second(x2)
        except OverflowError:
            if not exact:
                raise
            x1, x2 = _beyond(x1), _beyond(x2)
        if compiled is None:
            compiled = jax.jit(strict(lowered), inline=_programs.INLINE)
        array = new()
        array._Array__value = compiled(x1, x2)
        return array

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


def strict(function: Function) -> Function:
    """`function` where any promotion that is not ours raises."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with jax.numpy_dtype_promotion("strict"):
            return function(*args, **kwargs)

    return call


def _beyond(value: Any) -> Any:
    """What compares as `value` does where one of two is an integer that the dtype of the other cannot hold."""
    if isinstance(value, int):
        return np.int8(1 if value > 0 else -1)
    return lax.full_like(value, 0, "int8")


def _as_in_jax(row: Row) -> Callable[[tuple[Any, ...], dict[str, Any]], bool] | None:
    """Of which arguments JAX by itself makes what its system has, if `row` makes arrays of what is none."""
    if row.rule == "create" and not row.operands:
        return lambda args, kwargs: True
    if row.rule == "array":  # lists may hold several dtypes
        return lambda args, kwargs: bool(args) and type(args[0]) is not list and type(args[0]) is not tuple
    if row.rule in ("space", "geometric space"):
        return lambda args, kwargs: not kwargs and PLAIN.issuperset(map(type, args))
    return None


def planned(row: Row, lowered: Function) -> Function:
    """Any function: its array arguments are found by position or by name.

    What strict mode let pass once is computed without it: it is the same then, and the mode costs a microsecond.
    """
    plans: dict[Any, _plans.Plan] = {}
    context, in_force, config = _context._context, _context.in_force, jax.config
    has_more, casts = _programs.has_more(row), row.name in _CASTING
    as_it_is = _as_in_jax(row)

    def function(*args: Any, system: str | Lattice | None = None, **kwargs: Any) -> Any:
        if system is not None:  # in force for what is called too
            systems.get(system)
            with context(system):
                return function(*args, **kwargs)
        chosen: str | Lattice = in_force.value
        if as_it_is is not None and chosen == "jax" and as_it_is(args, kwargs):
            bare = [value._Array__value if type(value) is Array else unwrap(value) for value in args]
            return _programs.dressed(lowered(*bare, **unwrap(kwargs)) if kwargs else lowered(*bare))
        key: list[Any] = [chosen, config.jax_enable_x64]
        values = _plans.described(args, key)
        if kwargs:
            key += kwargs
            kwargs = dict(zip(kwargs, _plans.described(kwargs.values(), key), strict=True))
        known = plans.get(signature := tuple(key))
        plan = known if known is not None else _plans.plan(row, lowered, values, kwargs, chosen)
        if plan is not _plans.NOTHING:
            try:
                _plans.perform(plan, values, kwargs)
            except _operands.OutOfBoundsError:
                wider = _plans.widened(row, lowered, values, kwargs, chosen)
                if wider is None:
                    raise
                _plans.perform(wider, values, kwargs)
        if known is not None and not has_more:
            out = lowered(*values, **kwargs)
        else:
            with jax.numpy_dtype_promotion(_programs.mode(row, chosen)):
                out = lowered(*values, **kwargs)
            plans[signature] = plan
        if plan.finish is not None:
            out = plan.finish(out)
        if casts and kwargs and not kwargs.keys().isdisjoint(_CAST):
            _operands.verify([kwargs.get(name) for name in _CAST], out)
        return _programs.dressed(out)

    return function
