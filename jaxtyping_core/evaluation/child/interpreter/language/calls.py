"""Calls: of the program's functions, of Python's, of the libraries', and of what is unknown."""

from __future__ import annotations

import functools
import re
import types
import typing
from typing import TYPE_CHECKING, Any

from ...symbols import UNKNOWN_DIM
from ...verdicts import FLOAT_SIZE, Refused, verdict
from ..control import Raised
from ..libraries import (
    captured,
    draws,
    layer_classes,
    layers,
    lengths,
    numpy_arrays,
    numpyro_sites,
    sharding,
    size_trials,
    transformed,
)
from ..libraries.certainties import whatever_sizes
from ..libraries.methods import holder_of, of_method
from ..libraries.sizes import of_any_length
from ..libraries.tables import OF_NUMBERS
from ..values import arrays
from ..values.unknowns import UNKNOWN, NeedsValue, Onlooker, Unknown
from . import contracts, functions
from .attributes import Method
from .operate import operate
from .operators import ALL, TooMuch

if TYPE_CHECKING:
    from ..machine import Machine

#: Words of errors that are not about arrays.
OF_PYTHON = re.compile(
    r"argument|keyword|attribute|callable|not iterable|unhashable|subscriptable|has no len|NoneType"
)


def call(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a call gives; unknown where that cannot be told.

    Raises:
        Raised: the call raises an exception, and the program may catch it.
    """
    machine.step()
    try:
        return _call(machine, f, args, kwargs)
    except NeedsValue:
        # What it calls in turn has not been walked, or not to its end.
        machine.escape([f, holder_of(f)])
        machine.forget([*args, *kwargs.values()])
        return UNKNOWN
    except (RecursionError, MemoryError):
        return UNKNOWN


def _call(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    if isinstance(f, Onlooker):
        machine.uncertain += 1
        machine.escape([*args, *kwargs.values()])
        return f
    if isinstance(f, Unknown):
        machine.forget([*args, *kwargs.values()])
        return UNKNOWN
    if isinstance(f, Method):
        return of_method(machine, f, args, kwargs)
    if isinstance(f, functools.partial):
        return call(
            machine, f.func, [*_sized(machine, f.args), *args], {**_sized(machine, f.keywords), **kwargs}
        )
    function = machine.functions.get(id(f))
    if function is not None:
        return functions.invoke(machine, function, args, kwargs)
    if isinstance(f, types.MethodType) and (
        id(f.__func__) in machine.functions or id(f.__func__) in machine.made
    ):
        return call(machine, f.__func__, [_sized(machine, f.__self__), *args], kwargs)
    if any(isinstance(each, functions.Rest) for each in (*args, *kwargs.values())):
        machine.forget([*args, *kwargs.values()])
        return UNKNOWN
    native = machine.natives.by_id.get(id(f))
    if native is not None:
        return native(*args, **kwargs)
    if numpyro_sites.is_handled(f):
        return numpyro_sites.handled(machine, f, args, kwargs)
    if id(f) in machine.made:
        return transformed.call(machine, machine.made[id(f)], args, kwargs)
    if f in transformed.kinds():
        return transformed.make(machine, f, args, kwargs)
    if is_operator(f):
        return operate(machine, f, args)
    origin = typing.get_origin(f)
    if isinstance(origin, type) and origin in machine.classes:  # ``Stack[int](...)``
        return call(machine, origin, args, kwargs)
    if is_own(machine, f) and not layers.declares(f):
        made = real(machine, f, args, kwargs)
        if isinstance(f, type) and f in machine.classes:
            contracts.constructed(machine, f, made)
        return made
    return of_library(machine, f, args, kwargs)


def _sized(machine: Machine, bound: Any) -> Any:
    """What a callable holds, with numbers for its unknown sizes where the call is tried with such."""
    return captured.as_tried(bound, machine.numbers) if machine.numbers else bound


def is_operator(f: Any) -> bool:
    from .expressions import get_item
    from .sequences import _item

    return (
        f is get_item
        or f is _item
        or (isinstance(f, (types.BuiltinFunctionType, types.FunctionType)) and f in ALL)
    )


def is_own(machine: Machine, f: Any) -> bool:
    """Whether a call only leads back to the program's functions, which take what is unknown."""
    if isinstance(f, type):
        return any(base in machine.classes for base in f.__mro__)
    holder = holder_of(f)
    if isinstance(f, (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)):
        cls = holder if isinstance(holder, type) else type(holder)
        return any(base in machine.classes for base in cls.__mro__) or isinstance(holder, super)
    return type(f) in machine.classes or any(base in machine.classes for base in type(f).__mro__)


def real(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a call of something real gives."""
    leaked = machine.leaked
    try:
        return f(*args, **kwargs)
    except (Raised, NeedsValue):
        raise
    except TooMuch:
        machine.note("a number, a text or a list of the program is too large: it is unknown")
        return UNKNOWN
    except Exception as error:  # what real code raises is what the program would meet
        if isinstance(error, TypeError) and type(error).__name__ == "ConcretizationTypeError":
            result = of_any_length(f, args, kwargs)
            if result is not None:
                return result
        if sharding.is_of_mesh(error):
            changed = sharding.without(args, kwargs)
            return UNKNOWN if changed is None else real(machine, f, *changed)
        return refused(machine, f, [*args, *kwargs.values()], error, machine.leaked == leaked)


def refused(machine: Machine, f: Any, values: list[Any], error: Exception, sure: bool) -> Any:
    """What the program goes on with after an error: if it is JAX's refusal of known arrays, it is reported."""
    outcome = verdict(error, symbolic=False)
    of_jax = (
        is_operator(f)
        or any(_is_of(f, package) for package in ("jax", "einops"))
        or (layers.is_layer(f) and _is_jaxs_own(error))
    )
    holder = holder_of(f)
    if arrays.is_array(holder):
        values = [holder, *values]
    message: str | None = str(outcome)
    # Of a size that is a float it is certain without arrays as well.
    is_of_arrays = any(map(arrays.is_array, _leaves(values))) or FLOAT_SIZE.match(str(outcome)) is not None
    if any(map(arrays.holds_unknown, values)):
        message = None
    elif has_symbols(values):
        message = whatever_sizes(str(outcome), _leaves(values))
    if (
        sure
        and of_jax
        and is_of_arrays
        and message is not None
        and isinstance(outcome, Refused)
        and not OF_PYTHON.search(message)
        and UNKNOWN_DIM not in message  # in what a function gave that the call has called
    ):
        kind = (
            "dtype"
            if re.search(r"\bd?types?\b", message) and not re.search(r"[Ss]hape|broadcast", message)
            else "shape"
        )
        machine.refuse(kind, message)
    machine.uncertain += 1
    if not machine.is_retried:
        machine.escape([f, holder, *values])
    return machine.failed(error)


def _is_of(f: Any, package: str) -> bool:
    return str(getattr(f, "__module__", None) or "").partition(".")[0] == package


def _is_jaxs_own(error: Exception) -> bool:
    """Whether JAX has raised an error, and not the layer that called it."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return trace is not None and str(trace.tb_frame.f_globals.get("__name__")).partition(".")[0] == "jax"


def has_symbols(values: list[Any]) -> bool:
    """Whether an array among `values` has a symbolic size."""
    return any(
        not all(type(d) is int for d in leaf.shape) for leaf in _leaves(values) if arrays.is_array(leaf)
    )


def _leaves(value: Any) -> list[Any]:
    import jax

    try:
        return list(jax.tree.leaves(value, is_leaf=lambda leaf: isinstance(leaf, Unknown)))
    except Exception:  # code of objects may raise anything: then no more is known
        return []


def of_library(machine: Machine, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call of a trusted library, or of a method of Python's own objects."""
    holder = holder_of(f)
    if (
        isinstance(f, types.BuiltinMethodType)
        and isinstance(holder, (list, dict, set, str, bytes, tuple, frozenset))
    ) or type(holder).__module__ == "collections":
        return of_container(machine, f, holder, args, kwargs)
    if isinstance(f, types.BuiltinMethodType) and type(holder) in (int, float) and f.__name__ in OF_NUMBERS:
        return real(machine, f, args, kwargs)
    if numpy_arrays.is_method(f):
        return numpy_arrays.call_method(machine, f, args, kwargs)
    if not machine.libraries.may_see(f) or not machine.libraries.is_trusted(
        f if hasattr(f, "__module__") else type(f)
    ):
        machine.forget([*args, *kwargs.values()])
        named = getattr(f, "__qualname__", None) or type(f).__qualname__
        return machine.left_out(f"{getattr(f, '__module__', None) or 'builtins'}.{named}")
    if lengths.has_any_length(f, args, kwargs):
        return lengths.of_any_length(machine, f, args, kwargs)
    if numpy_arrays.is_of_numpy(f):
        return numpy_arrays.call(machine, f, args, kwargs)
    inputs = [*args, *kwargs.values(), holder]
    if (layers.is_layer(f) or layers.declares(f)) and (
        layers.is_open(f) or any(map(arrays.holds_unknown, inputs[:-1])) or has_symbols(inputs[:-1])
    ):
        return layers.call(machine, f, args, kwargs)
    if layer_classes.is_class(f) and (
        any(map(arrays.holds_unknown, inputs)) or layer_classes.has_sizes(args, kwargs)
    ):
        return layer_classes.make(machine, f, args, kwargs)
    if any(map(arrays.holds_unknown, inputs)):
        return draws.partially(machine, f, args, kwargs)
    if has_symbols(inputs):
        return size_trials.with_sizes(machine, f, args, kwargs)
    return real(machine, f, args, kwargs)


def of_container(machine: Machine, f: Any, holder: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A method of a list, a dict, a set or a text."""
    name = f.__name__
    if isinstance(holder, (str, bytes)):
        if arrays.holds_unknown(args) or name in (
            "ljust",
            "rjust",
            "center",
            "zfill",
            "expandtabs",
            "translate",
        ):
            from ..values.unknowns import Number

            return Number(str) if name not in ("split", "startswith", "encode") else UNKNOWN
        return real(machine, f, args, kwargs)
    if name in ("extend", "update", "__iadd__") and any(isinstance(arg, Unknown) for arg in args):
        return _grow(machine, holder, args)
    if name == "get" and isinstance(holder, dict) and not arrays.holds_unknown(args[:1]):
        return holder.get(*args)
    if (
        isinstance(holder, dict)
        and name in ("get", "pop", "setdefault")
        and args
        and arrays.holds_unknown(args[0])
    ):
        machine.forget([holder])
        return UNKNOWN
    if name == "sort" and arrays.holds_unknown(holder):
        machine.forget([holder])
        return None
    if isinstance(holder, list) and name in ("pop", "insert") and arrays.holds_unknown(args[:1]):
        machine.forget([holder])
        return UNKNOWN
    return real(machine, f, args, kwargs)


def _grow(machine: Machine, holder: Any, args: list[Any]) -> None:
    """A container takes over items of which nothing, or not their number, is known."""
    from ..values.joins import join_all
    from ..values.states import substitute
    from ..values.unknowns import Many
    from .sequences import items_of

    other: Any = UNKNOWN
    if isinstance(holder, list):
        items = items_of(machine, args[0])
        more = [items.item] if isinstance(items, Many) else items
        other = Many(join_all([*holder, *more]) if [*holder, *more] else UNKNOWN, bool(holder))
    substitute([frame.scope for frame in machine.frames], {id(holder): (holder, other)}, machine.scope_of)
