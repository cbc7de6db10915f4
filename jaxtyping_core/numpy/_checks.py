"""What `checked` verifies of a value: an annotation as a function that says why the value does not fit."""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import jax
import numpy as np

from jaxtyping_core._annotations.array import Array, ArrayMeta
from jaxtyping_core._annotations.elements import dtype_name
from jaxtyping_core._annotations.source import is_union, is_unpacked, source, unpacked
from jaxtyping_core.numpy import _array as layer

#: What the type variables of a call stand for so far: sizes, tuples of sizes, names of dtypes.
Bindings = dict[Any, Any]
#: Why a value does not fit; None where it does.
Reason = str | None


#: An annotation, compiled: it says why a value does not fit, and what its type variables stand for goes into the bindings.
Check = Callable[[Any, Bindings], Reason]


def compiled(hint: Any) -> Check:
    """What verifies the annotation `hint`."""
    if isinstance(hint, ArrayMeta):
        return _of_array(hint)
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return compiled(args[0])
    if is_union(hint):
        return _of_union([compiled(arg) for arg in args])
    if not args or not mentions_arrays(hint):
        return _of_class(hint, origin or hint)
    return _of_tuple(args) if origin is tuple else _of_container(origin, args)


def mentions_arrays(hint: Any) -> bool:
    return isinstance(hint, ArrayMeta) or any(map(mentions_arrays, typing.get_args(hint)))


def _of_class(hint: Any, kind: Any) -> Check:
    def check(value: Any, bindings: Bindings) -> Reason:
        return None if _is_instance(value, kind) else f"expected {source(hint)}, got {describe(value)}"

    return check


def _of_tuple(args: Sequence[Any]) -> Check:
    is_tuple = _of_class(tuple, tuple)

    @functools.cache
    def items(count: int) -> list[Check]:
        return [compiled(arg) for arg in _spread(args, count)]

    def check(value: Any, bindings: Bindings) -> Reason:
        reason = is_tuple(value, bindings)
        if reason is not None:
            return reason
        checks = items(len(value))
        if len(checks) != len(value):
            return f"expected a tuple of {len(checks)}, got one of {len(value)}"
        for place, item_check in enumerate(checks):
            reason = item_check(value[place], bindings)
            if reason is not None:
                return _at(place, reason)
        return None

    return check


def _of_container(origin: Any, args: Sequence[Any]) -> Check:
    """The check of a list, a dict or another container of arrays."""
    is_container = _of_class(origin, origin)
    of_items, of_values = compiled(args[0]), compiled(args[-1])

    def check(value: Any, bindings: Bindings) -> Reason:
        reason = is_container(value, bindings)
        if reason is not None:
            return reason
        items: Iterable[tuple[Any, Any]]
        if isinstance(value, Mapping):
            check_item, items = of_values, value.items()
        elif isinstance(value, Sequence):
            check_item, items = of_items, enumerate(value)
        else:
            return None
        for place, item in items:
            reason = check_item(item, bindings)
            if reason is not None:
                return _at(place, reason)
        return None

    return check


def _at(place: Any, reason: str) -> str:
    return f"at [{place!r}]{'' if reason.startswith('at [') else ': '}{reason.removeprefix('at ')}"


def _spread(args: Sequence[Any], count: int) -> Sequence[Any]:
    """The annotation of each item of a tuple of `count` items; as many as there must be if there are fewer items."""
    if len(args) == 2 and args[1] is ...:
        return [args[0]] * count
    place = next((place for place, arg in enumerate(args) if is_unpacked(arg)), None)
    if place is None:
        return () if args == ((),) else args
    inner = typing.get_args(unpacked(args[place]))
    rest = max(count - len(args) + 1, 0)
    middle = _spread(inner, rest) if inner else [Any] * rest  # a type variable for several types
    return [*args[:place], *middle, *args[place + 1 :]]


def _of_union(alternatives: Sequence[Check]) -> Check:
    def check(value: Any, bindings: Bindings) -> Reason:
        reasons = []
        for alternative in alternatives:
            attempt = dict(bindings)
            reason = alternative(value, attempt)
            if reason is None:
                bindings.update(attempt)
                return None
            reasons.append(reason)
        return "; ".join(dict.fromkeys(reasons))

    return check


def _is_instance(value: Any, kind: Any) -> bool:
    if kind is None or kind is types.NoneType:
        return value is None
    return not isinstance(kind, type) or isinstance(value, kind)


#: Classes whose values are arrays, all of them: not those of tracers, which may be tracers of something else.
_arrays: set[type] = {layer.Array}


def _is_array(value: Any) -> bool:
    if not isinstance(value, Array):
        return False
    if not isinstance(value, jax.core.Tracer):
        _arrays.add(type(value))
    return True


def _of_array(hint: ArrayMeta) -> Check:
    of_dtype, of_shape = _of_dtype(hint), _of_shape(hint)

    def check(value: Any, bindings: Bindings) -> Reason:
        if type(value) not in _arrays and not _is_array(value):
            what = "a NumPy array, " if isinstance(value, np.ndarray | np.generic) else ""
            return f"expected an array{' of JAX' if what else ''}, got {what}{describe(value)}"
        aval = (
            value.value if type(value) is layer.Array else value
        ).aval  # of which the others are properties
        reason = None if of_dtype is None else of_dtype(aval, bindings)
        return of_shape(aval.shape, bindings) if reason is None else reason

    return check


def _of_dtype(hint: ArrayMeta) -> Check | None:
    """The check of the dtype; None where any fits."""
    tests = hint._elements
    wanted = hint.__args__[0] if hint.__args__ else None
    variable = wanted if isinstance(wanted, typing.TypeVar) else None
    if variable is None and any(test.names is None for test in tests):
        return None
    weak = any(test.weak for test in tests)
    fitting: dict[Any, str] = {}  # the names of dtypes that fit: to ask NumPy for a name takes a microsecond

    def check(array: Any, bindings: Bindings) -> Reason:
        key = (array.dtype, getattr(array, "weak_type", False)) if weak else array.dtype
        name = fitting.get(key)
        if name is None:
            if not any(test.accepts(array) for test in tests):
                return f"the dtype is {_dtype(array)}"
            fitting[key] = name = dtype_name(array.dtype)
        return None if variable is None else _bind(variable, name, bindings, "dtype")

    return check


def _of_shape(hint: ArrayMeta) -> Check:
    pattern, several = hint._shape, _variadic(hint)
    of_ranks: dict[int, Any] = {}
    start, end = len(pattern.before), len(pattern.after)

    def check(shape: Any, bindings: Bindings) -> Reason:
        rank = len(shape)
        dims = of_ranks.get(rank) or of_ranks.setdefault(rank, pattern._dims(rank))
        if dims is None:
            return (
                f"it has {len(shape)} dims, not {start + end}{'' if pattern.middle is None else ' or more'}"
            )
        for axis, (sizes, name) in enumerate(dims):
            size = shape[axis]
            if sizes is not None and size not in sizes:
                return f"the size of axis {axis} is {size}, not {' or '.join(map(str, sorted(sizes)))}"
            known = size if name is None else bindings.setdefault(name, size)
            if known is not size and not known == size:  # noqa: SIM201  # symbolic sizes are asked whether they are equal
                return _bind(name, size, bindings, "dim")
        if several is None:
            return None
        return _bind(several, tuple(shape[start : len(shape) - end]), bindings, "dims")

    return check


def _variadic(hint: ArrayMeta) -> Any:
    """The type variable of an unknown number of dims in the shape, if there is one."""
    items = typing.get_args(hint.__args__[1]) if hint.__args__ else ()
    stars = (unpacked(item) for item in items if is_unpacked(item))
    return next((item for item in stars if isinstance(item, typing.TypeVarTuple)), None)


def _bind(name: Any, value: Any, bindings: Bindings, what: str) -> Reason:
    known = bindings.setdefault(name, value)
    if known == value:
        return None
    return f"the {what} {source(name).partition(':')[0]} is {shown(known)}, here it is {shown(value)}"


def shown(value: Any) -> str:
    return f"({', '.join(map(str, value))})" if isinstance(value, tuple) else str(value)


def _dtype(value: Any) -> str:
    return f"{dtype_name(value.dtype)}{' (weak)' if getattr(value, 'weak_type', False) else ''}"


def describe(value: Any) -> str:
    """A value in an error message: arrays by dtype and shape, others by their type."""
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return f"{_dtype(value)}[{', '.join(map(str, value.shape))}]"
    if isinstance(value, tuple | list) and len(value) < 9:
        return f"{type(value).__name__}({', '.join(map(describe, value))})"
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"
