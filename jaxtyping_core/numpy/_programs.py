"""Functions that JAX runs as one compiled program, compiled with the conversions of their operands."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, Literal

import jax

from jaxtyping_core.lattice import Lattice
from jaxtyping_core.numpy import _context, _plans
from jaxtyping_core.numpy._array import Array, is_of_jax, new, wrap
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
            "var",
            "std",
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
            "isin",
            "array_equal",
            "array_equiv",
            "diag_indices_from",
            "tril_indices_from",
            "triu_indices_from",
        ),
        *(
            "linalg.cross",
            "linalg.matmul",
            "linalg.outer",
            "linalg.tensordot",
            "linalg.vecdot",
            "linalg.trace",
            "linalg.tensorinv",
            "linalg.tensorsolve",
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


def program(row: Row, lowered: Function, told: Callable[[Any], None] = lambda out: None) -> Function:
    """`lowered` compiled, with the conversions of its operands by the system in force while it is traced.

    `told` gets what it gives whenever it is traced.
    """

    @functools.wraps(lowered)
    def traced(*args: Any, **kwargs: Any) -> Any:
        ignored: list[Any] = []
        values = _plans.described(args, ignored)
        named = dict(zip(kwargs, _plans.described(kwargs.values(), ignored), strict=True))
        plan = _plans.plan(row, lowered, values, named, _context.current())
        _plans.perform(plan, values, named)
        with jax.numpy_dtype_promotion(mode(row, _context.current())):
            out = lowered(*values, **named)
        told(out)
        return out

    vars(traced).pop("_jit_info", None)
    compiled: Function = jax.jit(traced, inline=INLINE, **_static(row, lowered))
    return compiled


# The programs are made when they are first called: to make all of them takes a tenth of a second.


def of_arrays(row: Row, general: Function, make: Callable[..., Function], others: Iterable[str]) -> Function:
    """A function that is one program: if its first argument is an array, and it has at most three, they go to it at once.

    What the program refuses, the other way says why, or can do; so with arguments of the names `others`.
    """
    places = {operand.place for operand in row.operands}
    is_first, is_second, is_third = (place in places for place in range(3))
    names = frozenset(("system", *others, *(operand.name for operand in row.operands)))
    several, program = False, ABSENT

    def told(out: Any) -> None:
        nonlocal several
        several = several or not is_of_jax(out)

    def first_call(*args: Any, **kwargs: Any) -> Any:
        nonlocal program
        program = make(told)
        return program(*args, **kwargs)

    program = first_call

    # Most calls have an array and nothing else. Each parameter more, and each look at one, is a hundredth of a call.
    # What is made of a single array therefore stands here too: `dressed` is a frame more.
    def function(x: Any = ABSENT, y: Any = ABSENT, z: Any = ABSENT, /, *rest: Any, **kwargs: Any) -> Any:
        if type(x) is not Array or rest or (kwargs and not names.isdisjoint(kwargs)):
            return general(*present(x, y, z), *rest, **kwargs)
        first = x._Array__value
        if y is not ABSENT:
            if type(y) is Array:
                y = y._Array__value
            elif is_second and not _fits(y, first):
                return general(*present(x, y, z), **kwargs)
            if type(z) is Array:
                z = z._Array__value
            elif is_third and z is not ABSENT and not _fits(z, first if is_first else y):
                return general(x, y, z, **kwargs)
        try:
            if y is ABSENT:
                out = program(first, **kwargs) if kwargs else program(first)
            elif z is ABSENT:
                out = program(first, y, **kwargs) if kwargs else program(first, y)
            else:
                out = program(first, y, z, **kwargs) if kwargs else program(first, y, z)
        except (TypeError, ValueError, OverflowError):
            pass
        else:
            if several:
                return dressed(out)
            array = new()
            array._Array__value = out
            return array
        return general(*present(x, y, z), **kwargs)

    return function


def _fits(value: Any, beside: Any) -> bool:
    """Whether a program may have `value`: nothing, or a Python scalar as a weak array, of which it is known that it fits."""
    if value is None:
        return True
    if _context.in_force.value != "jax":
        return False
    aval = getattr(beside, "aval", None)
    return type(value) is float or (type(value) is int and aval is not None and aval.dtype.kind == "f")


def spread(general: Function, make: Callable[[], Function]) -> Function:
    """A program of any number of arrays."""
    program: Any = None

    def function(x: Any = ABSENT, /, *rest: Any, **kwargs: Any) -> Any:
        nonlocal program
        values = _values(rest) if type(x) is Array and not kwargs else None
        if values is None:
            return general(*present(x), *rest, **kwargs)
        if program is None:
            program = make()
        return dressed(program(x._Array__value, *values) if rest else program(x._Array__value))

    return function


def listed(general: Function, make: Callable[[], Function]) -> Function:
    """A program of a list of arrays."""
    program: Any = None

    def function(arrays: Any = ABSENT, /, *rest: Any, **kwargs: Any) -> Any:
        nonlocal program
        values = None if type(arrays) is not list or kwargs else _values(arrays)
        if values is None:
            return general(*present(arrays), *rest, **kwargs)
        if program is None:
            program = make()
        try:
            out = program(values, *rest) if rest else program(values)
        except (TypeError, ValueError):
            return general(arrays, *rest)
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
        array = new()
        array._Array__value = out
        return array
    if (kind is tuple or kind is list) and len(out) == 2:  # most are, and a loop takes a twentieth of a call
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
