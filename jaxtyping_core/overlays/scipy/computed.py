"""What functions of SciPy give whatever the numbers in their arrays are: SciPy itself tells, of arrays of zeros.

Only functions of these tables are called. They compute, and are passed numbers, texts, dtypes and arrays that stand in for those
of the program: nothing else of a program gets to them.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...engine.libraries.calls.memo import lasting
from ...engine.libraries.numpy.arrays import forget_numbers
from ...engine.libraries.numpy.choices import evaluated, forgotten, is_ndarray, is_number
from ...engine.values import arrays
from ...engine.values.callables import Holder
from ...engine.values.unknowns import UNKNOWN, NumpyArray, is_anything, is_dim, is_scalar
from .._describing import shape_of

if TYPE_CHECKING:
    from ...engine.libraries.natives import Natives

#: Classes of what SciPy is passed as it is.
PLAIN = (bool, int, float, complex, str, type(None))
#: The sizes that stand in for large ones, twice: what a result has of them in both cases is the same size.
SMALL = ((53, 59, 61, 67, 71, 73), (79, 83, 89, 97, 101, 103))
#: The most items that a result may have by the numbers that are passed.
MOST_BY_NUMBERS = 1 << 24


class Row(NamedTuple):
    """How functions are called.

    Attributes:
        open: names of the parameters whose numbers do not matter; None for all that are arrays, or numbers.
        most: the most items of an array that SciPy is passed.
        is_cheap: whether what it costs does not grow with the numbers that it is passed.
        tells_numbers: whether the numbers of its results are told where it is passed numbers of Python.
    """

    open: frozenset[str] | None
    most: int = 1 << 18
    is_cheap: bool = False
    tells_numbers: bool = False


@functools.cache
def real(path: str) -> Any:
    """A function of SciPy."""
    module, _, name = path.rpartition(".")
    function = getattr(importlib.import_module(module), name)
    return lasting(function) if inspect.isfunction(function) else function


def computing(natives: Natives, function: Callable[[], Any], row: Row) -> Callable[..., Any]:
    """What is called in place of a function."""

    def call(*args: Any, **kwargs: Any) -> Any:
        natives.interpreter.may_raise_epoch += 1
        f = function()
        if _may_write(f, args, kwargs):
            for each in filter(is_ndarray, (*args, *kwargs.values())):
                forget_numbers(natives.interpreter, each)
            return UNKNOWN
        return of_arrays(f, row, [*map(_held, args)], {key: _held(each) for key, each in kwargs.items()})

    return natives.function(call)


def _may_write(f: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> bool:
    """Whether a call may write into an array that it is passed."""
    if any(name == "out" or name.startswith("overwrite") for name in kwargs):
        return True
    if isinstance(f, np.ufunc):
        return len(args) > f.nin
    try:
        output = inspect.signature(f).bind(*args, **kwargs).arguments.get("output")
    except (TypeError, ValueError):
        return False
    return isinstance(output, np.ndarray | NumpyArray) or is_anything(output)


def of_arrays(f: Any, row: Row, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a function gives, as far as dtypes and shapes tell; unknown if more matters."""
    values = [*args, *kwargs.values()]
    if not all(map(_may_be_passed, values)) or not _others_are_known(f, row, args, kwargs):
        return UNKNOWN
    items = max((math.prod(shape) for shape in _shapes(values)), default=1)
    numbers = math.prod(abs(each) for each in _leaves(values) if type(each) in (int, float) and abs(each) > 1)
    if not row.is_cheap and min(items, row.most) * numbers**3 > MOST_BY_NUMBERS:
        return UNKNOWN
    if row.tells_numbers and all(type(each) in PLAIN for each in values):
        return f(*args, **kwargs)
    if items <= row.most:
        return evaluated(
            f, [*map(_without_numbers, args)], {key: _without_numbers(each) for key, each in kwargs.items()}
        )
    return _of_large(f, row, args, kwargs)


def _of_large(f: Any, row: Row, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a function gives of large arrays: the sizes of its results that are theirs as well."""
    sizes = sorted(
        {dim for shape in _shapes([*args, *kwargs.values()]) for dim in shape if dim >= SMALL[0][0]}
    )
    if len(sizes) > len(SMALL[0]) or any(size in small for small in SMALL for size in sizes):
        return UNKNOWN
    results = []
    for small in SMALL:
        names = dict(zip(sizes, small, strict=False))
        shrunk = (
            [_shrunk(each, names) for each in args],
            {key: _shrunk(each, names) for key, each in kwargs.items()},
        )
        if any(math.prod(shape) > row.most for shape in _shapes([*shrunk[0], *shrunk[1].values()])):
            return UNKNOWN
        results.append(_renamed(evaluated(f, *shrunk), {each: size for size, each in names.items()}))
    return _common(*results)


def _shrunk(value: Any, names: dict[int, int]) -> Any:
    if type(value) in (list, tuple):
        return type(value)(_shrunk(each, names) for each in value)
    shape, dtype = (
        shape_of(value),
        value.np_dtype if isinstance(value, NumpyArray) else getattr(value, "dtype", None),
    )
    if shape is None:
        return value
    return NumpyArray(dtype, tuple(names.get(dim, dim) if type(dim) is int else None for dim in shape))


def _renamed(value: Any, sizes: dict[int, int]) -> Any:
    """A result with the large sizes in place of those that stood in for them."""
    if isinstance(value, list | tuple):
        parts = [_renamed(each, sizes) for each in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    if isinstance(value, NumpyArray) and value.dims is not None:
        return NumpyArray(value.np_dtype, tuple(sizes.get(dim, dim) for dim in value.dims))
    return value


def _common(first: Any, second: Any) -> Any:
    if type(first) is not type(second):
        return UNKNOWN
    if isinstance(first, tuple | list) and len(first) == len(second):
        parts = [_common(*pair) for pair in zip(first, second, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    if isinstance(first, NumpyArray):
        dims, others = first.dims, second.dims
        common = None
        if dims is not None and others is not None and len(dims) == len(others):
            common = tuple(a if a == b else None for a, b in zip(dims, others, strict=True))
        return NumpyArray(first.np_dtype if first.np_dtype == second.np_dtype else None, common)
    return first if is_scalar(first) and first.kind is second.kind else UNKNOWN


def _without_numbers(value: Any) -> Any:
    """An array that SciPy may do with what it likes."""
    return forgotten(value) if is_ndarray(value) and value.ndim else value


def _held(value: Any) -> Any:
    return value.array if isinstance(value, Holder) else value


def _may_be_passed(value: Any) -> bool:
    """Whether a value is data, or stands for an array or a number."""
    if type(value) in (list, tuple):
        return len(value) <= 1 << 12 and all(map(_may_be_passed, value))
    if type(value) is np.ndarray:
        return not value.dtype.hasobject
    is_plain = type(value) in PLAIN or isinstance(value, np.dtype) or is_number(value)
    is_dtype = (isinstance(value, type) and value in (bool, int, float, complex)) or _is_scalar_type(value)
    return is_plain or is_dtype or _is_open(value)


def _is_scalar_type(value: Any) -> bool:
    return isinstance(value, type) and value.__module__ == "numpy" and issubclass(value, np.generic)


def _is_open(value: Any) -> bool:
    """Whether a value stands for an array, or for a number."""
    is_array = isinstance(value, NumpyArray) or arrays.is_array(value)
    return not is_anything(value) and (
        is_array or is_dim(value) or is_scalar(value, bool, int, float, complex)
    )


def _others_are_known(f: Any, row: Row, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether all that is known by its dtype alone, or its type, stands for a parameter whose numbers do not matter."""
    if row.open is None:
        return True
    try:
        bound = inspect.signature(f).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return False
    others = [value for name, value in bound.items() if name not in row.open]
    return not any(map(_is_open, _leaves(others)))


def _leaves(value: Any) -> Iterator[Any]:
    if type(value) in (list, tuple):
        for each in value:
            yield from _leaves(each)
    elif type(value) is dict:
        yield from _leaves([*value.values()])
    else:
        yield value


def _shapes(values: Any) -> Iterator[tuple[int, ...]]:
    """The shapes of the arrays among values, with 1 for what is not known of them."""
    for each in _leaves(values):
        shape = shape_of(each)
        if shape is not None:
            yield tuple(dim if type(dim) is int else 1 for dim in shape)
