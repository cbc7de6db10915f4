"""Operators, and items of containers."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from ...identity import identity
from ...sampling.tables.numbers import ONE_OF_TYPE, OTHER_NUMBERS
from ..libraries import registry
from ..libraries.calls import real_code
from ..libraries.calls.methods import mixed
from ..libraries.jax.at_updates import At, Update
from ..libraries.numpy import arrays as numpy_arrays
from ..libraries.numpy import choices as numpy_choices
from ..libraries.python import paths, records
from ..libraries.trust import gate
from ..values import arrays
from ..values.callables import Holder, Namespace
from ..values.dispatch import Array, ByKind
from ..values.fresh_dims import next_of
from ..values.joins import join_all
from ..values.paths import KnownPath
from ..values.python_numbers import index_of
from ..values.records import Record
from ..values.unknowns import (
    UNKNOWN,
    AbstractScalar,
    AbstractSequence,
    ArrayLike,
    NumpyArray,
    Partial,
    Unknown,
    is_anything,
    is_dim,
    is_many,
    is_scalar,
    is_unknown,
    without_none,
)
from . import masks
from .operators import COMPARISONS, LIMITED, add, get_item, iadd
from .refusals import has_symbols
from .tracing import asked, hashed

if TYPE_CHECKING:
    from ..interpreter import Interpreter

COMPARING = frozenset(COMPARISONS.values())
EQUALITY = (COMPARISONS[ast.Eq], COMPARISONS[ast.NotEq])
SCALARS = tuple(ONE_OF_TYPE)


def operate(interpreter: Interpreter, f: Callable[..., Any], args: list[Any]) -> Any:
    """What an operator gives."""
    if f is get_item:
        return item(interpreter, without_none(args[0]), args[1])
    if f not in EQUALITY and not any(type(arg) in interpreter.classes for arg in args):
        args = [*map(without_none, args)]  # None has no operators but these
    f = LIMITED.get(f, f)
    if any(type(arg) is KnownPath for arg in args):
        return paths.operate(interpreter, f.__name__, args)
    namespace = next((arg for arg in args if isinstance(arg, Namespace)), None)
    if namespace is not None:
        if isinstance(args[0], Holder) and len(args) == 2 and _keeps_dtype(f, *args):
            return args[0].like(args[0].array)
        return namespace.names.get(f"__{f.__name__}__", UNKNOWN)
    kinds = set(map(type, args))
    is_open, of_arrays = any(map(is_anything, args)), any(map(arrays.is_jax, args))
    if ArrayLike in kinds and not is_open:
        result = interpreter.call_abstractly(f, args, {})
        # With one more array of JAX the result is JAX's; without, it is as its operands are.
        return result if of_arrays or arrays.known_of(result) is None else mixed(result)
    if not of_arrays and numpy_arrays.takes_part(args):
        result = numpy_arrays.operate(interpreter, f, args)
        interpreter.rules.of_numpy(f, args, result)
        return result
    if any(map(is_many, args)):
        return _of_many(interpreter, f, args)
    if is_open:
        return interpreter.call_abstractly(f, args, {}) if of_arrays else UNKNOWN
    if any(map(is_unknown, args)):
        scalars = all(is_scalar(arg) or is_dim(arg) or isinstance(arg, SCALARS) for arg in args)
        return _of_numbers(f, args) if scalars else interpreter.call_abstractly(f, args, {})
    if not all(map(gate.is_small, args)):
        interpreter.too_much()
        return AbstractScalar(bool) if f in COMPARING else UNKNOWN
    if is_dim(args[0]) and type(args[-1]) is float and getattr(f, "__name__", "") in ("power", "pow"):
        return _power_of_size(args[0])
    result = interpreter.with_sizes(f, args, {}) if has_symbols(args) else interpreter.real(f, args, {})
    return _without_dtype(result) if getattr(f, "__name__", "") == "power" and _keeps_base(*args) else result


def _keeps_dtype(f: Callable[..., Any], holder: Holder, number: Any) -> bool:
    """Whether an operator gives the same dtype and shape for an array of a library: that of floats, with a real number."""
    known, name = holder.array, getattr(f, "__name__", "")
    is_float = isinstance(known, NumpyArray) and known.np_dtype is not None and known.np_dtype.kind == "f"
    kind = number.kind if is_scalar(number) else type(number)
    return is_float and kind in (int, float) and name in ("add", "sub", "mul", "truediv")


def _keeps_base(base: Any, exponent: Any) -> bool:
    """Whether the dtype of a power is the base's where JAX knows the exponent's number, and the common one under a trace."""
    both = arrays.is_array(base) and arrays.is_array(exponent) and exponent.ndim == 0
    return (
        both
        and base.dtype != exponent.dtype
        and all(jnp.issubdtype(each.dtype, jnp.integer) for each in (base, exponent))
    )


def _without_dtype(value: Any) -> Any:
    known = arrays.known_of(value)
    return UNKNOWN if known is None else arrays.of_known(known.with_dtype(None, None))


def _power_of_size(size: Any) -> Any:
    """A size to the power of a float, which JAX's symbols do not have; of a number below 0 it may be complex."""
    try:
        return AbstractScalar(float) if size >= 0 else UNKNOWN
    except jax.errors.InconclusiveDimensionOperation:
        return UNKNOWN


def _of_numbers(f: Callable[..., Any], args: list[Any]) -> Any:
    """What an operator gives for Python scalars of unknown value: the type alone."""
    if f in COMPARING:
        return AbstractScalar(bool)
    samples = [
        ONE_OF_TYPE[arg.kind] if is_scalar(arg) else ONE_OF_TYPE[int] if is_dim(arg) else arg for arg in args
    ]
    if getattr(f, "__name__", "") in ("power", "pow") and all(isinstance(sample, int) for sample in samples):
        exponent = args[1]
        return AbstractScalar(int) if type(exponent) is int and exponent >= 0 else UNKNOWN
    if any(isinstance(sample, str) for sample in samples):
        return AbstractScalar(str)
    results = set()
    for value in (None, *OTHER_NUMBERS):
        tried = [
            sample
            if value is None or not is_scalar(arg)
            else type(sample)(value)
            if type(sample) is not bool
            else sample
            for arg, sample in zip(args, samples, strict=True)
        ]
        try:
            results.add(type(f(*tried)))
        except Exception:  # this choice is not accepted, for whatever reason
            continue
    if len(results) != 1 or not results <= set(ONE_OF_TYPE):
        return UNKNOWN
    return AbstractScalar(results.pop(), _size_of_result(f, args))


#: Operators of which an int follows from others as a size follows from sizes.
OF_SIZES = {"times": operator.mul, "add": operator.add, "iadd": operator.add}


def _size_of_result(f: Callable[..., Any], args: list[Any]) -> Callable[[], Any] | None:
    """How a sum or a product of unknown ints follows from these, for where it is used as a size; None for others."""
    compute = OF_SIZES.get(getattr(f, "__name__", ""))
    whole = all(is_scalar(arg, int) or is_dim(arg) or (type(arg) is int and arg > 0) for arg in args)
    if compute is None or not whole:
        return None
    return lambda: compute(*(arrays.size_of(arg) if is_scalar(arg) else arg for arg in args))


def _of_many(interpreter: Interpreter, f: Callable[..., Any], args: list[Any]) -> Any:
    if f in (add, iadd) and all(isinstance(arg, (AbstractSequence, list, tuple)) for arg in args):
        return joined_sequences(args)
    if len(args) == 2 and getattr(f, "__name__", "") == "times":
        many = next(arg for arg in args if is_many(arg))
        return AbstractSequence(many.item, False, many.kind, many.since)
    return AbstractScalar(bool) if f in COMPARING else UNKNOWN


def joined_sequences(args: list[Any]) -> Any:
    """The items of several sequences, one after the other."""
    items: list[Any] = []
    some = False
    for arg in args:
        items += [arg.item] if is_many(arg) else arg
        some = some or (arg.some if is_many(arg) else bool(arg))
    kinds = {arg.kind if is_many(arg) else type(arg) for arg in args}
    return AbstractSequence(join_all(items), some, kinds.pop()) if len(kinds) == 1 else UNKNOWN


def item(interpreter: Interpreter, holder: Any, key: Any) -> Any:
    """``holder[key]``."""
    key = _with_bounds(interpreter, key)
    if numpy_choices.is_ndarray(holder):
        return _of_numpy_array(interpreter, holder, key)
    if (boxes := registry.box_of("__getitem__", holder)) is not None:
        return item(interpreter, boxes.array_in(holder), key)
    if type(holder) in interpreter.classes:
        return _of_own_object(interpreter, holder, key)
    return _ITEMS.find(holder)(interpreter, holder, key)


def _with_bounds(interpreter: Interpreter, key: Any) -> Any:
    """A key in which arrays that are bounds of slices are ints, as Python asks them for these; a traced one gives none."""

    def bound(value: Any) -> Any:
        index = index_of(value)
        return value if index is None or interpreter.traces.has_no_number(value) else index

    if isinstance(key, tuple) and any(type(each) is slice for each in key):
        return tuple(_with_bounds(interpreter, each) for each in key)
    return slice(*map(bound, (key.start, key.stop, key.step))) if type(key) is slice else key


def _of_object(interpreter: Interpreter, holder: Any, key: Any) -> Any:
    """An item of an object of a library."""
    if numpy_choices.is_concatenator(holder) and (arrays.holds_unknown(key) or arrays.is_array(key)):
        return numpy_arrays.concatenated(interpreter, holder, key)
    if type(holder).__name__ == "_IndexUpdateHelper":
        for mask in masks.in_key(key):
            asked(interpreter, mask, "mask")
        return _update(holder, key)
    if arrays.holds_unknown(key):
        return interpreter.call_abstractly(get_item, [holder, key], {})
    if has_symbols([holder, key]):
        return interpreter.with_sizes(get_item, [holder, key], {})
    is_plain = arrays.is_array(holder) or isinstance(holder, (str, range))
    if is_plain or interpreter.libraries.is_trusted(type(holder)):
        return interpreter.real(get_item, [holder, key], {})
    return UNKNOWN


#: What an item of a value is, by the kind of that: the interpreter, the value and the key are passed.
_ITEMS: ByKind[Callable[[Interpreter, Any, Any], Any]] = ByKind(_of_object)


_ITEMS.of(Record)(records.item)


@_ITEMS.of(Namespace)
def _of_namespace(interpreter: Interpreter, holder: Namespace, key: Any) -> Any:
    """An item of what stands for an object of a library, if that has any."""
    getter = holder.names.get("__getitem__", UNKNOWN)
    return UNKNOWN if is_unknown(getter) else interpreter.call(getter, [key], {})


@_ITEMS.of(Holder)
def _of_holder(interpreter: Interpreter, holder: Holder, key: Any) -> Any:
    return holder.like(item(interpreter, holder.array, key))


@_ITEMS.of(Unknown)
def _of_unknown(interpreter: Interpreter, holder: Unknown, key: Any) -> Any:
    return UNKNOWN


@_ITEMS.of(AbstractSequence)
def _of_sequence(interpreter: Interpreter, holder: AbstractSequence, key: Any) -> Any:
    if type(key) is slice:
        return AbstractSequence(holder.item, kind=holder.kind, since=holder.since)
    return next_of(holder)


@_ITEMS.of(ArrayLike)
def _of_mixed(interpreter: Interpreter, holder: ArrayLike, key: Any) -> Any:
    result = item(interpreter, holder.array, key)
    return UNKNOWN if arrays.known_of(result) is None else ArrayLike(result)


@_ITEMS.of(AbstractScalar)
def _of_scalar(interpreter: Interpreter, holder: AbstractScalar, key: Any) -> Any:
    return AbstractScalar(str) if holder.kind is str else UNKNOWN


@_ITEMS.of(At)
def _of_at(interpreter: Interpreter, holder: At, key: Any) -> Any:
    return Update(holder.array, key)


@_ITEMS.of(NumpyArray)
def _of_numpy_array(interpreter: Interpreter, holder: Any, key: Any) -> Any:
    for part in key if type(key) is tuple else (key,):
        asked(interpreter, part, "numpy index")
    return numpy_arrays.operate(interpreter, get_item, [holder, key])


@_ITEMS.of(Array, Partial)
def _of_array(interpreter: Interpreter, holder: Any, key: Any) -> Any:
    if masks.has_mask(key):
        for mask in masks.in_key(key):
            asked(interpreter, mask, "mask")
        return item(interpreter, holder, masks.as_indices(key))
    if arrays.is_array(holder):
        return _of_object(interpreter, holder, key)
    return interpreter.call_abstractly(get_item, [holder, key], {})


@_ITEMS.of(list, tuple)
def _of_listed(interpreter: Interpreter, holder: Any, key: Any) -> Any:
    if not _is_open(key):
        return interpreter.real(get_item, [holder, key], {})
    asked(interpreter, key, "list index")
    if type(key) is slice:
        return AbstractSequence(join_all([*holder]), kind=type(holder)) if holder else UNKNOWN
    is_index = is_scalar(key) or numpy_choices.is_int(key) or arrays.is_array(key) or is_dim(key)
    return join_all([*holder]) if holder and is_index else UNKNOWN


@_ITEMS.of(dict)
def _of_dict(interpreter: Interpreter, holder: Any, key: Any) -> Any:
    if not _is_open(key):
        return interpreter.real(get_item, [holder, key], {})
    hashed(interpreter, key)
    return join_all([*holder.values()]) if holder and type(key) is not slice else UNKNOWN


def _is_open(key: Any) -> bool:
    """Whether it is not known which item a key stands for."""
    return arrays.holds_unknown(key) or arrays.is_array(key) or is_dim(key)


@_ITEMS.of(type)
def _of_class(interpreter: Interpreter, holder: Any, key: Any) -> Any:
    if arrays.holds_unknown(key):
        return UNKNOWN
    try:
        is_seen = interpreter.libraries.is_trusted(holder) or holder in interpreter.classes
        return holder[key] if is_seen else UNKNOWN
    except Exception:  # code of objects may raise anything: then no more is known
        return UNKNOWN


def _of_own_object(interpreter: Interpreter, holder: Any, key: Any) -> Any:
    """An item of an object of the program."""
    method = getattr(type(holder), "__getitem__", None)
    if method is None:
        return UNKNOWN
    if identity(method) in interpreter.functions:
        return interpreter.call(method, [holder, key], {})
    if arrays.holds_unknown(key):
        return UNKNOWN
    with real_code.asking(holder):
        return holder[key]


def _update(holder: Any, key: Any) -> Any:
    if arrays.holds_unknown(key) or masks.has_mask(key):
        return Update(holder.array, key)
    return holder[key]
