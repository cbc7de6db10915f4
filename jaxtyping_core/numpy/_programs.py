"""Functions that JAX runs as one compiled program, compiled with the conversions of their operands."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, Literal

import jax

from jaxtyping_core.lattice import Lattice
from jaxtyping_core.numpy import _context, _plans
from jaxtyping_core.numpy._array import Array, is_of_jax, made, new, wrap
from jaxtyping_core.numpy._rows import Row

Function = Callable[..., Any]

#: JAX's own functions are compiled like this: inside a trace nothing is left of the call.
INLINE: Any = getattr(getattr(jax, "Inline", None), "JAX_EARLY", True)

ABSENT: Any = object()
#: The classes of arrays and tracers that were results: to look here takes a third of an isinstance.
single: set[type] = set()

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
            "broadcast_arrays",
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
            "linalg.lstsq",
        ),
        *(
            f"fft.{kind}{name}"
            for kind in ("", "i")
            for name in ("fft", "fft2", "fftn", "rfft", "rfft2", "rfftn")
        ),
        *("fft.hfft", "fft.ihfft", "fft.fftshift", "fft.ifftshift"),
        *("concat", "concatenate", "stack", "hstack", "vstack", "dstack", "column_stack"),
        *("split", "array_split", "hsplit", "vsplit", "dsplit"),
        *(f"jaxtyping_core.numpy._lowered.{name}" for name in ("convolve", "correlate", "polymul")),
    )
)
#: Their parameters that hold arrays beside the operands.
_DYNAMIC = frozenset(("initial", "where", "condition", "indices"))


#: Functions with arrays beside their operands: weights and tolerances, which JAX itself promotes with what it has computed.
_BESIDE = frozenset(
    (
        *("cov", "histogram", "histogram2d", "histogramdd"),
        *("linalg.pinv", "linalg.matrix_rank", "linalg.lstsq"),
    )
)


def has_more(row: Row) -> bool:
    """Whether a function has arrays beside the operands that the row names."""
    return row.target.removeprefix("jax.numpy.") in _BESIDE


def mode(row: Row, system: str | Lattice) -> Literal["strict", "standard"]:
    """JAX's own promotion while a function computes: none, but for what stands beside the operands."""
    return "standard" if has_more(row) and system != "jax-strict" else "strict"


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
        with jax.numpy_dtype_promotion(mode(row, _context.current())):
            return lowered(*values, **named)

    vars(traced).pop("_jit_info", None)
    compiled: Function = jax.jit(traced, inline=INLINE, **_static(row, lowered))
    return compiled


# The programs are made when they are first called: to make all of them takes a tenth of a second.


def of_arrays(row: Row, general: Function, make: Callable[[], Function], others: Iterable[str]) -> Function:
    """A function that is one program: arrays go to it at once.

    What the program refuses, the other way says why, or can do; so with arguments of the names `others`.
    """
    places = tuple(operand.place for operand in row.operands)
    names = frozenset(("system", *others, *(operand.name for operand in row.operands)))
    context = _context._context
    program: Any = None

    # Most calls have an array and nothing else. Each parameter more, and each look at one, is a hundredth of a call.
    # What is made of `out` therefore stands in each of these functions: one for all of them would be a frame more in each call.
    def of_one(x: Any = ABSENT, /, *rest: Any, **kwargs: Any) -> Any:
        nonlocal program
        if type(x) is not Array or len(rest) > 2 or (kwargs and not names.isdisjoint(kwargs)):
            return general(*present(x), *rest, **kwargs)
        program = program or make()
        try:
            if not rest:
                out = program(x._Array__value, **kwargs) if kwargs else program(x._Array__value)
            elif kwargs:
                out = program(x._Array__value, *rest, **kwargs)
            elif len(rest) == 1:
                (y,) = rest
                out = program(x._Array__value, y._Array__value if type(y) is Array else y)
            else:
                y, z = rest
                out = program(
                    x._Array__value,
                    y._Array__value if type(y) is Array else y,
                    z._Array__value if type(z) is Array else z,
                )
        except (TypeError, ValueError):
            pass
        else:
            if type(out) in single:
                array = new()
                array._Array__value = out
                return array
            return dressed(out)
        return general(x, *rest, **kwargs)

    def of_two(x: Any = ABSENT, y: Any = ABSENT, /, *rest: Any, **kwargs: Any) -> Any:
        nonlocal program
        if type(x) is Array and type(y) is Array and (not kwargs or names.isdisjoint(kwargs)):
            program = program or make()
            try:
                if rest or kwargs:
                    out = program(x._Array__value, y._Array__value, *rest, **kwargs)
                else:
                    out = program(x._Array__value, y._Array__value)
            except (TypeError, ValueError):
                pass
            else:
                if type(out) in single:
                    array = new()
                    array._Array__value = out
                    return array
                return dressed(out)
        return of_several(*present(x, y), *rest, **kwargs)

    def of_several(*args: Any, **kwargs: Any) -> Any:
        nonlocal program
        if kwargs and not names.isdisjoint(kwargs):
            return general(*args, **kwargs)
        values, count, first = list(args), len(args), None
        for place in places:
            if place >= count:
                break
            value = values[place]
            if type(value) is Array:
                values[place] = value = value._Array__value
                first = first if first is not None else value
            elif value is not None and not (
                first is not None and context.value == "jax" and _is_weak(value, first)
            ):
                return general(*args, **kwargs)
        program = program or make()
        try:
            out = program(*values, **kwargs)
        except (TypeError, ValueError, OverflowError):
            return general(*args, **kwargs)
        return dressed(out)

    if places == (0, 1):
        return of_two
    return of_one if places[0] == 0 and (len(places) == 1 or places[1] > 2) else of_several


def _is_weak(value: Any, beside: Any) -> bool:
    """Whether a program may have a Python scalar as a weak array: of an integer it must be seen that it fits otherwise."""
    return type(value) is float or (type(value) is int and beside.dtype.kind == "f")


def spread(general: Function, make: Callable[[], Function]) -> Function:
    """A program of any number of arrays."""
    program: Any = None

    def function(x: Any = ABSENT, /, *rest: Any, **kwargs: Any) -> Any:
        nonlocal program
        if type(x) is Array and not kwargs:
            program = program or make()
            if not rest:
                return dressed(program(x._Array__value))
            if (values := _values(rest)) is not None:
                return dressed(program(x._Array__value, *values))
        return general(*present(x), *rest, **kwargs)

    return function


def listed(general: Function, make: Callable[[], Function]) -> Function:
    """A program of a list of arrays."""
    program: Any = None

    def function(*args: Any, **kwargs: Any) -> Any:
        nonlocal program
        values = None if not args or type(args[0]) is not list or kwargs else _values(args[0])
        if values is None:
            return general(*args, **kwargs)
        program = program or make()
        try:
            out = program(values, *args[1:])
        except (TypeError, ValueError):
            return general(*args)
        return dressed(out)

    return function


def _values(arrays: Any) -> list[Any] | None:
    """The values of `arrays`, also in lists of them; None if one is no array of the layer."""
    values = []
    for array in arrays:
        if type(array) is Array:
            values.append(array._Array__value)
        elif type(array) is list and (inner := _values(array)) is not None:
            values.append(inner)
        else:
            return None
    return values


def present(*values: Any) -> list[Any]:
    """The arguments that are there."""
    return [value for value in values if value is not ABSENT]


def named(**values: Any) -> dict[str, Any]:
    """The options that are not None."""
    return {name: value for name, value in values.items() if value is not None}


def dressed(out: Any) -> Any:
    """The result of a function, with arrays of the layer: one, or several in tuples (named ones too), lists and dicts."""
    kind = type(out)
    if kind in single:
        return made(out)
    if (kind is tuple or kind is list) and len(out) == 2:  # most are, and a loop takes a tenth of a call
        x, y = out
        if type(x) in single and type(y) in single:
            first, second = new(), new()
            first._Array__value = x
            second._Array__value = y
            return (first, second) if kind is tuple else [first, second]
    if kind is tuple or kind is list or isinstance(out, tuple):
        arrays = []
        for item in out:
            if type(item) not in single:
                break
            array = new()
            array._Array__value = item
            arrays.append(array)
        else:
            if kind is list:
                return arrays
            if kind is tuple:
                return tuple(arrays)
            return tuple.__new__(kind, arrays)  # pyright: ignore[reportArgumentType]  # a named one
    # A Python function of JAX's is asked last: it takes longer than all of the above.
    elif is_of_jax(out):
        single.add(kind)
    return wrap(out)
