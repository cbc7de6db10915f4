"""Operators, and items of containers."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp

from .....sampling.tables import ONE_OF_TYPE
from ..libraries import flax_variables, gate, numpy_arrays, numpy_choices
from ..libraries.methods import mixed
from ..libraries.updates import At, Update
from ..values import arrays
from ..values.callables import Namespace
from ..values.joins import join_all
from ..values.renewal import next_of
from ..values.unknowns import UNKNOWN, Many, Mixed, Number, NumpyArray, Partial, Unknown, is_anything, is_dim
from . import masks
from .operators import COMPARISONS, LIMITED, add, get_item, iadd
from .refusals import has_symbols
from .tracing import asked, hashed

if TYPE_CHECKING:
    from ..machine import Machine

COMPARING = frozenset(COMPARISONS.values())


def operate(machine: Machine, f: Callable[..., Any], args: list[Any]) -> Any:
    """What an operator gives."""
    if f is get_item:
        return item(machine, *args)
    f = LIMITED.get(f, f)
    for arg in args:
        if isinstance(arg, Namespace):
            return arg.names.get(f"__{f.__name__}__", UNKNOWN)
    if any(isinstance(arg, Mixed) for arg in args) and not any(map(is_anything, args)):
        result = machine.partially(f, args, {})
        described = arrays.description(result)
        # With one more array of JAX the result is JAX's; without, it is as its operands are.
        surely = described is None or any(arrays.is_array(arg) or isinstance(arg, Partial) for arg in args)
        return result if surely else mixed(result)
    if numpy_arrays.takes_part(args):
        return numpy_arrays.operate(machine, f, args)
    if any(isinstance(arg, Many) for arg in args):
        return _of_many(machine, f, args)
    if any(isinstance(arg, Unknown) for arg in args):
        if any(map(is_anything, args)):
            others = [arg for arg in args if not is_anything(arg)]
            of_arrays = any(arrays.is_array(arg) or isinstance(arg, Partial) for arg in others)
            return machine.partially(f, args, {}) if of_arrays else UNKNOWN
        if all(isinstance(arg, (Number, *ONE_OF_TYPE)) or is_dim(arg) for arg in args):
            return _of_numbers(f, args)
        return machine.partially(f, args, {})
    if not all(map(gate.is_small, args)):
        machine.too_much()
        return Number(bool) if f in COMPARING else UNKNOWN
    result = machine.with_sizes(f, args, {}) if has_symbols(args) else machine.real(f, args, {})
    return _without_dtype(result) if getattr(f, "__name__", "") == "power" and _keeps_base(*args) else result


def _keeps_base(base: Any, exponent: Any) -> bool:
    """Whether the dtype of a power is the base's where JAX knows the exponent's number, and the common one under a trace."""
    both = arrays.is_array(base) and arrays.is_array(exponent) and exponent.ndim == 0
    return (
        both
        and base.dtype != exponent.dtype
        and all(jnp.issubdtype(each.dtype, jnp.integer) for each in (base, exponent))
    )


def _without_dtype(value: Any) -> Any:
    described = arrays.description(value)
    return UNKNOWN if described is None else arrays.array(None, None, described[2])


def _of_numbers(f: Callable[..., Any], args: list[Any]) -> Any:
    """What an operator gives for Python scalars of unknown value: the type alone."""
    if f in COMPARING:
        return Number(bool)
    samples = [
        ONE_OF_TYPE[arg.kind] if isinstance(arg, Number) else 2 if is_dim(arg) else arg for arg in args
    ]
    if getattr(f, "__name__", "") in ("power", "pow") and all(isinstance(sample, int) for sample in samples):
        exponent = args[1]
        return Number(int) if type(exponent) is int and exponent >= 0 else UNKNOWN
    if any(isinstance(sample, str) for sample in samples):
        return Number(str)
    results = set()
    for value in (None, 3, 7):
        tried = [
            sample
            if value is None or not isinstance(arg, Number)
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
    return Number(results.pop(), _size_of_result(f, args))


#: Operators of which an int follows from others as a size follows from sizes.
OF_SIZES = {"times": operator.mul, "add": operator.add, "iadd": operator.add}


def _size_of_result(f: Callable[..., Any], args: list[Any]) -> Callable[[], Any] | None:
    """How a sum or a product of unknown ints follows from these, for where it is used as a size; None for others."""
    compute = OF_SIZES.get(getattr(f, "__name__", ""))
    whole = all(
        (isinstance(arg, Number) and arg.kind is int) or is_dim(arg) or (type(arg) is int and arg > 0)
        for arg in args
    )
    if compute is None or not whole:
        return None
    return lambda: compute(*(arrays.size_of(arg) if isinstance(arg, Number) else arg for arg in args))


def _of_many(machine: Machine, f: Callable[..., Any], args: list[Any]) -> Any:
    if f in (add, iadd) and all(isinstance(arg, (Many, list, tuple)) for arg in args):
        return joined_sequences(args)
    if len(args) == 2 and getattr(f, "__name__", "") == "times":
        many = next(arg for arg in args if isinstance(arg, Many))
        return Many(many.item, False, many.kind, many.since)
    return Number(bool) if f in COMPARING else UNKNOWN


def joined_sequences(args: list[Any]) -> Any:
    """The items of several sequences, one after the other."""
    items: list[Any] = []
    some = False
    for arg in args:
        items += [arg.item] if isinstance(arg, Many) else arg
        some = some or (arg.some if isinstance(arg, Many) else bool(arg))
    kinds = {arg.kind if isinstance(arg, Many) else type(arg) for arg in args}
    return Many(join_all(items), some, kinds.pop()) if len(kinds) == 1 else UNKNOWN


def item(machine: Machine, holder: Any, key: Any) -> Any:
    """``holder[key]``."""
    if isinstance(holder, Many):
        if isinstance(key, slice):
            return Many(holder.item, kind=holder.kind, since=holder.since)
        return next_of(holder)
    if isinstance(holder, Mixed):
        result = item(machine, holder.array, key)
        return UNKNOWN if arrays.description(result) is None else Mixed(result)
    if is_anything(holder) or isinstance(holder, Number):
        return Number(str) if isinstance(holder, Number) and holder.kind is str else UNKNOWN
    if isinstance(holder, NumpyArray) or numpy_choices.is_ndarray(holder):
        for part in key if isinstance(key, tuple) else (key,):
            asked(machine, part, "numpy index")
        return numpy_arrays.operate(machine, get_item, [holder, key])
    if flax_variables.has("__getitem__", holder):
        return item(machine, flax_variables.array_in(holder), key)
    if type(holder) in machine.classes or isinstance(holder, type):
        return _of_object(machine, holder, key)
    if type(holder) in (tuple, list, dict) or isinstance(holder, (dict, tuple, list)):
        if arrays.holds_unknown(key) or arrays.is_array(key) or is_dim(key):
            if isinstance(holder, dict):
                hashed(machine, key)
            else:
                asked(machine, key, "list index")
            return _any_item(holder, key)
        return machine.real(get_item, [holder, key], {})
    if numpy_choices.is_concatenator(holder) and (arrays.holds_unknown(key) or arrays.is_array(key)):
        return numpy_arrays.concatenated(machine, holder, key)
    if isinstance(holder, At):
        return Update(holder.array, key)
    if type(holder).__name__ == "_IndexUpdateHelper":
        for mask in masks.in_key(key):
            asked(machine, mask, "mask")
        return _update(holder, key)
    if (arrays.is_array(holder) or isinstance(holder, Partial)) and masks.has_mask(key):
        for mask in masks.in_key(key):
            asked(machine, mask, "mask")
        return item(machine, holder, masks.as_indices(key))
    if arrays.holds_unknown(key) or isinstance(holder, Partial):
        return machine.partially(get_item, [holder, key], {})
    if has_symbols([holder, key]):
        return machine.with_sizes(get_item, [holder, key], {})
    if (
        arrays.is_array(holder)
        or machine.libraries.is_trusted(type(holder))
        or isinstance(holder, (str, range))
    ):
        return machine.real(get_item, [holder, key], {})
    return UNKNOWN


def _any_item(holder: Any, key: Any) -> Any:
    """Whichever item it is."""
    values = list(holder.values()) if isinstance(holder, dict) else list(holder)
    if not values:
        return UNKNOWN
    joined = join_all(values)
    if isinstance(key, slice):
        return Many(joined, kind=type(holder)) if isinstance(holder, (list, tuple)) else UNKNOWN
    whole = (
        isinstance(holder, dict)
        or isinstance(key, Number)
        or numpy_choices.is_int(key)
        or arrays.is_array(key)
        or is_dim(key)
    )
    return joined if whole else UNKNOWN


def _of_object(machine: Machine, holder: Any, key: Any) -> Any:
    if isinstance(holder, type):
        if arrays.holds_unknown(key):
            return UNKNOWN
        try:
            known: Any = holder if machine.libraries.is_trusted(holder) or holder in machine.classes else None
            return UNKNOWN if known is None else known[key]
        except Exception:  # code of objects may raise anything: then no more is known
            return UNKNOWN
    method = getattr(type(holder), "__getitem__", None)
    if method is None:
        return UNKNOWN
    if id(method) in machine.functions:
        return machine.call(method, [holder, key], {})
    return UNKNOWN if arrays.holds_unknown(key) else holder[key]


def _update(holder: Any, key: Any) -> Any:
    if arrays.holds_unknown(key) or masks.has_mask(key):
        return Update(holder.array, key)
    return holder[key]
