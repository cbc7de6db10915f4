"""Functions that JAX runs as one compiled program, compiled with the conversions of their operands."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import jax

from jaxtyping_core.numpy import _context, _plans
from jaxtyping_core.numpy._array import Array, wrap
from jaxtyping_core.numpy._rows import Row

Function = Callable[..., Any]

#: JAX's own functions are compiled like this: inside a trace nothing is left of the call.
INLINE: Any = getattr(getattr(jax, "Inline", None), "JAX_EARLY", True)

ABSENT: Any = object()
_NONE = type(None)
_SEVERAL = (tuple, list)  # of results

#: Functions that are Python's to JAX, but compute one compiled program for all values of the arrays.
_ONE_PROGRAM = frozenset(
    (
        *("sum", "prod", "mean", "max", "min", "amax", "amin", "ptp", "all", "any", "where"),
        *(
            "argmax",
            "argmin",
            "nanargmax",
            "nanargmin",
            "cumulative_sum",
            "cumulative_prod",
            "average",
            "minmax",
        ),
        *("reshape", "transpose", "permute_dims", "matrix_transpose", "moveaxis", "expand_dims", "squeeze"),
        *(
            "broadcast_to",
            "take",
            "flip",
            "fliplr",
            "flipud",
            "tile",
            "diag",
            "diagflat",
            "vecdot",
            "tensordot",
        ),
        *(
            "linalg.cross",
            "linalg.matmul",
            "linalg.outer",
            "linalg.tensordot",
            "linalg.vecdot",
            "linalg.trace",
        ),
        *(
            "linalg.diagonal",
            "linalg.matrix_transpose",
            "linalg.svdvals",
            "linalg.vector_norm",
            "linalg.matrix_norm",
        ),
        *(
            f"fft.{kind}{name}"
            for kind in ("", "i")
            for name in ("fft", "fft2", "fftn", "rfft", "rfft2", "rfftn")
        ),
        *("fft.hfft", "fft.ihfft"),
        *(f"jaxtyping_core.numpy._lowered.{name}" for name in ("convolve", "correlate")),
    )
)
#: Their parameters that hold arrays beside the operands.
_DYNAMIC = frozenset(("initial", "where", "condition", "indices"))


def is_one(row: Row, lowered: Function) -> bool:
    """Whether JAX runs `lowered` as one program."""
    return hasattr(lowered, "_jit_info") or row.target.removeprefix("jax.numpy.") in _ONE_PROGRAM


def _static(row: Row, lowered: Function) -> dict[str, Any]:
    """What `jax.jit` is told of the arguments of a function that is one program."""
    info = getattr(lowered, "_jit_info", None)  # of a function that JAX compiles as a whole
    if info is not None:
        return {"static_argnums": info.static_argnums, "static_argnames": info.static_argnames}
    if row.elementwise or row.rule == "power":
        return {}
    parameters = list(inspect.signature(lowered).parameters)
    arrays = {*_DYNAMIC, *(operand.name for operand in row.operands)}
    return {"static_argnames": [name for name in parameters[row.operands[0].place :] if name not in arrays]}


def program(row: Row, lowered: Function) -> Function:
    """`lowered` compiled, with the conversions of its operands by the system in force while it is traced."""

    @functools.wraps(lowered)
    def traced(*args: Any, **kwargs: Any) -> Any:
        ignored: list[Any] = []
        values = [_plans.described(value, ignored) for value in args]
        named = {name: _plans.described(value, ignored) for name, value in kwargs.items()}
        plan = _plans.plan(row, lowered, values, named, _context.current())
        _plans.perform(plan, values, named)
        with jax.numpy_dtype_promotion("strict"):
            return lowered(*values, **named)

    vars(traced).pop("_jit_info", None)
    compiled: Function = jax.jit(traced, inline=INLINE, **_static(row, lowered))
    return compiled


# The programs are made when they are first called: to make all of them takes a tenth of a second.


def of_arrays(row: Row, general: Function, make: Callable[[], Function]) -> Function:
    """A function that is one program: arrays go to it at once.

    What the program refuses, the other way says why, or can do.
    """
    places = tuple(operand.place for operand in row.operands)
    names = frozenset(("system", *(operand.name for operand in row.operands)))
    context = _context._context
    program: Any = None

    # Positional arguments one by one: to take them apart from a tuple costs half a microsecond.
    def of_one(x: Any = ABSENT, y: Any = ABSENT, z: Any = ABSENT, /, *rest: Any, **kwargs: Any) -> Any:
        nonlocal program
        if type(x) is Array and not rest and (not kwargs or names.isdisjoint(kwargs)):
            program = program or make()
            try:
                if kwargs:
                    out = program(*given(x.value, y, z), **kwargs)
                elif y is ABSENT:
                    out = program(x.value)
                else:
                    out = program(x.value, y) if z is ABSENT else program(x.value, y, z)
            except (TypeError, ValueError):
                pass
            else:
                return _dressed(out) if isinstance(out, _SEVERAL) else Array(value=out)
        return general(*given(x, y, z), *rest, **kwargs)

    def of_two(x: Any = ABSENT, y: Any = ABSENT, /, *rest: Any, **kwargs: Any) -> Any:
        nonlocal program
        if type(x) is Array and type(y) is Array and (not kwargs or names.isdisjoint(kwargs)):
            program = program or make()
            try:
                values = x.value, y.value
                out = program(*values, *rest, **kwargs) if rest or kwargs else program(*values)
            except (TypeError, ValueError):
                pass
            else:
                return _dressed(out) if isinstance(out, _SEVERAL) else Array(value=out)
        return of_several(*given(x, y), *rest, **kwargs)

    def of_several(*args: Any, **kwargs: Any) -> Any:
        nonlocal program
        if kwargs and not names.isdisjoint(kwargs):
            return general(*args, **kwargs)
        for place in places:
            if place < len(args):
                kind = type(args[place])
                # To JAX a Python float is a weak array; an integer must be seen to fit.
                if kind is not Array and (place == places[0] or (kind is not float and kind is not _NONE)):
                    return general(*args, **kwargs)
                if kind is float and context.value != "jax":
                    return general(*args, **kwargs)
        program = program or make()
        try:
            out = program(*args, **kwargs)
        except (TypeError, ValueError):
            return general(*args, **kwargs)
        return _dressed(out) if isinstance(out, _SEVERAL) else Array(value=out)

    return of_one if places == (0,) else of_two if places == (0, 1) else of_several


def spread(general: Function, make: Callable[[], Function]) -> Function:
    """A program of any number of arrays."""
    program: Any = None

    def function(*args: Any, **kwargs: Any) -> Any:
        nonlocal program
        if kwargs or not args or not _all_arrays(args):
            return general(*args, **kwargs)
        program = program or make()
        out = program(*[array.value for array in args])
        return _dressed(out) if isinstance(out, _SEVERAL) else Array(value=out)

    return function


def listed(general: Function, make: Callable[[], Function]) -> Function:
    """A program of a list of arrays."""
    program: Any = None

    def function(*args: Any, **kwargs: Any) -> Any:
        nonlocal program
        if not args or type(args[0]) is not list or kwargs or not _all_arrays(args[0]):
            return general(*args, **kwargs)
        program = program or make()
        try:
            out = program([array.value for array in args[0]], *args[1:])
        except (TypeError, ValueError):
            return general(*args)
        return _dressed(out) if isinstance(out, _SEVERAL) else Array(value=out)

    return function


def _all_arrays(values: Any) -> bool:
    for value in values:  # noqa: SIM110  # a third of what all() takes
        if type(value) is not Array:
            return False
    return True


def given(*values: Any) -> list[Any]:
    """The arguments that are there."""
    return [value for value in values if value is not ABSENT]


def _dressed(out: Any) -> Any:
    """The results of a program, which may be a named tuple."""
    arrays = [wrap(item) if type(item) is list or type(item) is tuple else Array(value=item) for item in out]
    if type(out) is list:
        return arrays
    return type(out)(*arrays) if hasattr(out, "_fields") else tuple(arrays)
