"""NumPy: real where its numbers are known; where they are not, the dtype and the shape that they cannot change."""

from __future__ import annotations

import functools
import math
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from ....identity import identity
from ...language import tracer_errors
from ...values import arrays, heap
from ...values.unknowns import (
    UNKNOWN,
    AbstractScalar,
    AbstractSequence,
    Archive,
    NumpyArray,
    Unknown,
    is_anything,
    is_dim,
    is_many,
    is_scalar,
    is_unknown,
)
from ..calls.memo import lasting
from ..calls.methods import holder_of
from ..calls.shapes import with_ints
from ..trust.tables import (
    NUMPY_CHANGING,
    NUMPY_IN_PLACE,
    NUMPY_KEEPING,
    NUMPY_METHODS,
    NUMPY_OF_ANY_LENGTH,
    NUMPY_OF_ANYTHING,
    NUMPY_OF_NUMBERS,
    NUMPY_OF_ONE_NUMBER,
    NUMPY_OF_SHAPES,
)
from . import delegated
from .choices import evaluated, forgotten, is_int, is_ndarray, is_number, numpy_in

if TYPE_CHECKING:
    from ...interpreter import Interpreter

ATTRIBUTES = frozenset({"T", "mT", "real", "imag"})
#: Options of functions that give arrays of any length: with these it is the first axis that has any.
OF_FIRST_AXIS = frozenset({"return_index", "return_inverse", "return_counts", "equal_nan", "minlength"})
#: Arrays of more numbers than this are kept without them.
MOST_NUMBERS = 50_000


def is_of_numpy(f: Any) -> bool:
    """Whether a function is NumPy's, or a method of one of its arrays."""
    if isinstance(f, np.ufunc):
        return True
    if isinstance(holder_of(f), (np.ndarray, np.generic, np.ufunc)):
        return True
    module = getattr(f, "__module__", None) or ""
    return str(module).partition(".")[0] == "numpy" and not (isinstance(f, type) and issubclass(f, np.dtype))


def is_method(f: Any) -> bool:
    """Whether a function is a method of an array of NumPy whose numbers are known, and only computes."""
    holder = holder_of(f) if isinstance(f, types.BuiltinMethodType) else None
    return isinstance(holder, (np.ndarray, np.generic)) and f.__name__ in NUMPY_METHODS | NUMPY_IN_PLACE


def call_method(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call of such a method. What would change the array is not done: its numbers are known no longer."""
    if f.__name__ not in NUMPY_IN_PLACE:
        return call(interpreter, f, args, kwargs)
    forget_numbers(interpreter, f.__self__)
    return None


def forget_numbers(interpreter: Interpreter, array: Any) -> None:
    """The numbers of an array of NumPy are known no longer, nor those of its views."""
    held = {identity(array): (array, forgotten(array))}
    for frame in interpreter.frames:
        for value in frame.scope.variables.values():
            if is_ndarray(value) and is_ndarray(array) and np.may_share_memory(value, array):
                held[identity(value)] = (value, forgotten(value))
    interpreter.replace(held)


def takes_part(args: list[Any]) -> bool:
    """Whether an operator is NumPy's: no array of JAX is among the operands."""
    if any(map(arrays.is_jax, args)):
        return False
    return any(isinstance(arg, NumpyArray) or is_ndarray(arg) or is_number(arg) for arg in args)


def kept(value: Any) -> Any:
    """A result of NumPy's whose numbers are right: large ones go without."""
    if is_ndarray(value):
        return forgotten(value) if value.size > MOST_NUMBERS else value
    return [kept(item) for item in value] if type(value) is list else value


def call(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call of one of NumPy's functions."""
    of_jax = delegated.call(interpreter, f, args, kwargs)
    if of_jax is not NotImplemented:
        return of_jax
    args, kwargs = with_ints(f, args, kwargs)
    inputs = [args, kwargs, holder_of(f)]
    if _too_large(f, args, kwargs):
        return UNKNOWN
    tracer_errors.of_numpy(interpreter, f, args, kwargs)
    if _is_known(inputs):
        try:
            return kept(f(*args, **kwargs))
        except Exception as error:  # what real code raises is what the program would meet
            return interpreter.failed(error)
    name = getattr(f, "__name__", "")
    for changed in [*(args[:1] if name in NUMPY_CHANGING else ()), kwargs.get("out")]:
        if is_ndarray(changed):
            forget_numbers(interpreter, changed)
    if name in ("zeros", "ones", "empty") and any(map(is_anything, args[:1])):
        return NumpyArray(np.dtype(float), None) if len(args) == 1 and not kwargs else UNKNOWN
    if not isinstance(f, (np.ufunc, type)) and not _is_of_shapes(name, args, kwargs):
        interpreter.may_raise_epoch += 1
        of_first_axis = kwargs.keys() <= OF_FIRST_AXIS and not arrays.holds_unknown(kwargs)
        if name in NUMPY_OF_ANY_LENGTH and of_first_axis and not any(map(is_anything, args)):
            return _of_any_length(evaluated(f, args, kwargs))
        return UNKNOWN
    interpreter.may_raise_epoch += 1
    if any(map(is_anything, [*args, *kwargs.values()])):
        return _of_anything(f, name, args, kwargs)
    return evaluated(f, args, kwargs)


def concatenated(interpreter: Interpreter, concatenator: Any, key: Any) -> Any:
    """``np.c_[x, y]`` and the like; what a slice makes has as many numbers as its ends say."""
    interpreter.may_raise_epoch += 1
    items = key if type(key) is tuple else (key,)
    if any(is_anything(item) or (isinstance(item, slice) and arrays.holds_unknown(item)) for item in items):
        return UNKNOWN
    return evaluated(concatenator.__getitem__, [key], {})


def _is_of_shapes(name: str, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether the shape of what a function gives follows from those of its arguments, and from their numbers if they are ints."""
    if name == "where":  # of a condition alone, it gives indices
        return len(args) == 3
    if name in NUMPY_OF_ONE_NUMBER:
        number = next(
            (each for each in [*args[1:2], kwargs.get("repeats"), kwargs.get("obj")] if each is not None),
            None,
        )
        return type(number) is int or is_int(number) or is_dim(number)
    return name in NUMPY_OF_SHAPES


def _of_any_length(made: Any) -> Any:
    """A result without the length of its first axis, which depends on numbers; or several."""
    if type(made) is tuple:
        return tuple(map(_of_any_length, made))
    return (
        NumpyArray(made.np_dtype, made.dims and (None, *made.dims[1:]))
        if isinstance(made, NumpyArray)
        else UNKNOWN
    )


def _of_anything(f: Any, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What is certain of a call with arguments of which nothing is known: at most the dtype, and for a new shape the rank."""
    first = next(numpy_in(args[:1]), None)
    if first is None and args and is_ndarray(args[0]):
        first = NumpyArray(args[0].dtype, args[0].shape)
    if name in NUMPY_KEEPING and first is not None:
        rank = None
        if name == "reshape" and len(args) > 1:
            shape = args[1] if len(args) == 2 and isinstance(args[1], (tuple, list)) else args[1:]
            whole = not is_unknown(args[1]) or len(args) > 2
            rank = len(shape) if whole and not any(is_many(each) for each in shape) else None
        return NumpyArray(first.np_dtype, None if rank is None else (None,) * rank)
    if name not in NUMPY_OF_ANYTHING:
        return NumpyArray(None, None) if name in NUMPY_OF_SHAPES else UNKNOWN
    changed = [NumpyArray(None, None) if is_anything(arg) else arg for arg in args]
    named = {key: NumpyArray(None, None) if is_anything(value) else value for key, value in kwargs.items()}
    made = evaluated(f, changed, named)
    return NumpyArray(made.np_dtype, None) if isinstance(made, NumpyArray) else UNKNOWN


def _too_large(f: Any, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether a call would make an array of more numbers than any program here needs."""
    sizes = [arg for arg in [*args, *kwargs.values()] if type(arg) is int]
    for shape in [arg for arg in [*args, *kwargs.values()] if isinstance(arg, (tuple, list))]:
        if all(type(dim) is int for dim in shape) and len(shape) < 33 and math.prod(shape) > 1 << 28:
            return True
    return getattr(f, "__name__", "") in NUMPY_OF_NUMBERS and any(size > 1 << 28 for size in sizes)


def _is_known(value: Any) -> bool:
    """Whether NumPy itself can do with a value: no array of JAX is in it, and no size that is not known."""
    return not arrays.holds_unknown(value) and not _holds_array(value)


def _holds_array(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_array, value.values()))
    if isinstance(value, slice):
        return any(map(is_dim, (value.start, value.stop, value.step)))
    if isinstance(value, (list, tuple)):
        return any(map(_holds_array, value))
    return arrays.is_array(value) or is_dim(value)


def operate(interpreter: Interpreter, f: Any, args: list[Any]) -> Any:
    """An operator on arrays of NumPy."""
    if (
        len(args) == 2
        and isinstance(args[1], (NumpyArray, Unknown, tuple, list))
        and getattr(f, "__name__", "") == "get_item"
    ):
        return _indexed(interpreter, f, *args)
    if isinstance(args[-1], str) and isinstance(args[0], NumpyArray) and args[0].np_dtype is None:
        held = args[0].arrays if isinstance(args[0], Archive) else {}
        return held.get(
            args[-1], NumpyArray(None, None)
        )  # one of the arrays of a file, or a field of records
    if _is_known(args):
        try:
            return kept(f(*args))
        except Exception as error:  # what real code raises is what the program would meet
            return interpreter.failed(error)
    if any(map(is_anything, args)):
        return NumpyArray(None, None)
    return evaluated(f, args, {})


def _indexed(interpreter: Interpreter, f: Any, holder: Any, key: Any) -> Any:
    """An index that is not a plain one: a mask's numbers say how much it takes."""
    keys = key if isinstance(key, tuple) else (key,)
    held = NumpyArray(holder.dtype, holder.shape) if is_ndarray(holder) else holder
    if held.dims is None and held.most is not None and sum(map(_is_of_one_axis, keys)) == held.most:
        holder = held = NumpyArray(held.np_dtype, (None,) * held.most)  # with fewer axes it would be refused
    if any(map(_is_mask, keys)):
        return NumpyArray(
            held.np_dtype,
            (None, *held.dims[1:]) if held.dims and len(keys) == 1 and _rank(key) == 1 else None,
        )
    if any(map(is_anything, keys)):
        return NumpyArray(held.np_dtype, None)
    if _is_known([holder, key]):
        try:
            return kept(f(holder, key))
        except Exception as error:  # what real code raises is what the program would meet
            return interpreter.failed(error)
    if any(map(_is_index, keys)):  # a number out of bounds would be refused: each is 0
        keys = tuple(
            0
            if _is_index(each)
            else NumpyArray(each.np_dtype, each.dims)
            if isinstance(each, NumpyArray)
            else each
            for each in keys
        )
    return evaluated(f, [held, keys if isinstance(key, tuple) else keys[0]], {})


def _is_of_one_axis(key: Any) -> bool:
    """Whether an index takes one axis."""
    return isinstance(key, (int, slice)) or _is_index(key) or is_dim(key)


def _is_index(value: Any) -> bool:
    return is_scalar(value, int)


def _rank(value: Any) -> int | None:
    dims = value.dims if isinstance(value, NumpyArray) else getattr(value, "shape", None)
    return None if dims is None else len(dims)


def _is_mask(value: Any) -> bool:
    if isinstance(value, NumpyArray):
        return value.np_dtype is None or bool(np.dtype(value.np_dtype) == np.dtype(bool))
    if is_ndarray(value):
        return bool(value.dtype == np.dtype(bool))
    if isinstance(value, list):
        return any(map(_is_mask, value)) or any(is_scalar(item, bool) for item in value)
    return is_scalar(value, bool)


def attribute(interpreter: Interpreter, value: NumpyArray, name: str) -> Any:
    """An attribute of an array whose numbers are not known."""
    if isinstance(value, Archive) and name in ("files", "keys", "items", "values"):
        return _of_archive(interpreter, value, name)
    if name in ("shape", "dtype", "ndim", "size", "nbytes", "itemsize"):
        return _simple(value, name)
    if name in ATTRIBUTES:
        return evaluated(_attribute(name), [value], {})
    if name in ("item", "tolist"):
        kinds = {"b": bool, "i": int, "u": int, "f": float, "c": complex}
        kind = None if value.np_dtype is None else kinds.get(value.np_dtype.kind)
        return interpreter.natives.function(
            lambda *_: AbstractScalar(kind) if kind and value.dims == () else UNKNOWN
        )
    if name == "fill" or name not in NUMPY_OF_SHAPES:
        return interpreter.natives.function(lambda *_, **__: UNKNOWN)
    return interpreter.natives.function(
        lambda *args, **kwargs: call(interpreter, _method(name), [value, *args], kwargs), keep=False
    )


def _of_archive(interpreter: Interpreter, value: Archive, name: str) -> Any:
    """The names of what is in a file, and the methods that a dict has, too."""
    if name == "files":
        return heap.made([*value.arrays])
    return interpreter.natives.function(lambda: heap.made([*getattr(value.arrays, name)()]))


def _simple(value: NumpyArray, name: str) -> Any:
    if name == "dtype":
        return UNKNOWN if value.np_dtype is None else value.np_dtype
    if value.dims is None or name in ("nbytes", "itemsize"):
        return AbstractSequence(AbstractScalar(int), kind=tuple) if name == "shape" else AbstractScalar(int)
    if name == "ndim":
        return len(value.dims)
    if name == "shape":
        return arrays.sizes_of(value)
    return (
        AbstractScalar(int) if None in value.dims else math.prod(dim for dim in value.dims if dim is not None)
    )


@functools.cache
def _attribute(name: str) -> Any:
    return lasting(lambda holder: getattr(holder, name))


@functools.cache
def _method(name: str) -> Any:
    def method(holder: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(holder, name)(*args, **kwargs)

    method.__name__ = name
    method.__module__ = "numpy"
    return lasting(method)
