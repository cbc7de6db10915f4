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
from jaxtyping_core.numpy._array import Array, made, new, stands_for_array, unwrap
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
    casts = row.name in _CASTING
    general = _verified(planned(row, lowered)) if casts else planned(row, lowered)
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
    return _programs.of_arrays(row, general, make, _CAST if casts else ())


def _verified(function: Function) -> Function:
    """`function`, which refuses integers in `_CAST` that the dtype of its result cannot hold."""

    def call(*args: Any, **kwargs: Any) -> Any:
        out = function(*args, **kwargs)
        if kwargs and not kwargs.keys().isdisjoint(_CAST):
            _operands.verify([kwargs.get(name) for name in _CAST], out)
        return out

    return call


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
    context, config, scalars = _context._context, jax.config, dtypes.PYTHON_SCALARS

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
        chosen: str | Lattice = context.value
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


def planned(row: Row, lowered: Function) -> Function:
    """Any function: its array arguments are found by position or by name.

    What strict mode let pass once is computed without it: it is the same then, and the mode costs a microsecond.
    """
    plans: dict[Any, _plans.Plan] = {}
    context, config = _context._context, jax.config
    has_more = _programs.has_more(row)
    as_it_is = row.rule == "create" and not row.operands  # JAX has nothing to promote

    def function(*args: Any, system: str | Lattice | None = None, **kwargs: Any) -> Any:
        if system is not None:  # in force for what is called too
            systems.get(system)
            with context(system):
                return function(*args, **kwargs)
        chosen: str | Lattice = context.value
        if as_it_is and chosen == "jax":
            out = lowered(*map(unwrap, args), **unwrap(kwargs))
            return _programs.dressed(out)
        key: list[Any] = [chosen, config.jax_enable_x64]
        values = [_plans.described(value, key) for value in args]
        if kwargs:
            for name, value in kwargs.items():
                key.append(name)
                kwargs[name] = _plans.described(value, key)
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
        return _programs.dressed(out)

    return function
