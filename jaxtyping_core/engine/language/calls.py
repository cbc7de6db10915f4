"""Calls: of the program's functions, of Python's, of the libraries', and of what is unknown."""

from __future__ import annotations

import enum
import functools
import inspect
import types
import typing
from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from ...identity import identity
from ..control import RaisedException
from ..libraries import absent, registry
from ..libraries.calls import abstract_calls, captured, real_code, size_trials, unknown_length
from ..libraries.calls.methods import MethodCall, holder_of, of_method
from ..libraries.calls.sizes import of_any_length
from ..libraries.jax import asked_numbers, buffers, sharding, tracings, transformations
from ..libraries.layers import calls as layers
from ..libraries.layers import classes as layer_classes
from ..libraries.numpy import arrays as numpy_arrays
from ..libraries.python import containers, declared_fields
from ..libraries.trust import gate
from ..libraries.trust.tables import OF_NUMBERS
from ..unresolved import SPECIAL
from ..values import arrays, heap
from ..values.callables import STAR_ARGS, Holder, Method, Namespace
from ..values.dispatch import ByKind
from ..values.joins import join_ways
from ..values.unknowns import UNKNOWN, Callee, ConcretizationError, Either, Instance, PureExternal, Unknown
from . import attributes, contracts, declared_results, functions, refusals, tracer_errors, tracing
from .operate import operate
from .operators import TooMuch
from .refusals import has_symbols, is_operator

if TYPE_CHECKING:
    from ..interpreter import Interpreter

#: Modules of functions that take whatever converts to an array.
OF_ARRAYS = ("numpy", "jax.numpy", "jax._src.numpy")


def call(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a call gives; unknown where that cannot be told.

    Raises:
        Raised: the call raises an exception, and the program may catch it.
    """
    interpreter.budget.step()
    value = _walked(interpreter, f, args, kwargs)
    return declared_results.of_call(interpreter, f, args, kwargs) if value is UNKNOWN else value


def _walked(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    try:
        return _call(interpreter, f, args, kwargs)
    except ConcretizationError:
        # What it calls in turn has not been walked, or not to its end.
        interpreter.escape([f, holder_of(f)])
        interpreter.havoc([*args, *kwargs.values(), kwargs])
        return UNKNOWN
    except (RecursionError, MemoryError):
        return UNKNOWN


def _call(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    return _CALLS.find(f)(interpreter, f, args, kwargs)


def _of_object(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    function = interpreter.functions.get(identity(f))
    if function is not None:
        return functions.invoke(interpreter, function, args, kwargs)
    if identity(f) not in interpreter.natives.of_python and not is_operator(f):
        args = _as_functions(interpreter, args)
        kwargs = dict(zip(kwargs, _as_functions(interpreter, [*kwargs.values()]), strict=True))
    if any(each is STAR_ARGS for each in (*args, *kwargs.values())):
        interpreter.havoc([*args, *kwargs.values(), kwargs])
        return declared_fields.of_any_arguments(f)
    if str(getattr(f, "__module__", None)).startswith(OF_ARRAYS):
        args = [*map(_array_held, args)]
    native = interpreter.natives.by_id.get(identity(f))
    if native is not None:
        if identity(f) in interpreter.natives.of_libraries and not all(map(gate.is_small, args)):
            return refuse(interpreter, f, args, kwargs, "a value that is too large")
        interpreter.may_raise_epoch += identity(f) in interpreter.natives.may_fail
        if identity(f) not in interpreter.natives.of_libraries:
            return native(*args, **kwargs)
        with real_code.running(f, args, kwargs):
            return native(*args, **kwargs)
    if is_operator(f):
        return operate(interpreter, f, args)
    if containers.is_method(f) and not is_own(interpreter, f):
        return containers.call(interpreter, f, args, kwargs)
    if identity(f) not in interpreter.made:
        closed = gate.refusal(interpreter, f, args, kwargs)
    else:
        closed = gate.refusal(interpreter, None, args, kwargs)
    if closed is not None:
        return refuse(interpreter, f, args, kwargs, closed)
    return _of_real_code(interpreter, f, args, kwargs)


#: What a call gives, by the kind of what is called: the interpreter, that and the arguments are passed.
_CALLS: ByKind[Callable[[Interpreter, Any, list[Any], dict[str, Any]], Any]] = ByKind(_of_object)
_CALLS.of(Method)(of_method)


@_CALLS.of(Unknown)
def _of_unknown(interpreter: Interpreter, f: Unknown, args: list[Any], kwargs: dict[str, Any]) -> Any:
    interpreter.unresolved.uses(SPECIAL)
    interpreter.havoc([*args, *kwargs.values(), kwargs])
    return UNKNOWN


@_CALLS.of(Either)
def _of_either(interpreter: Interpreter, f: Either, args: list[Any], kwargs: dict[str, Any]) -> Any:
    results: list[Any] = []
    sides = [
        lambda each=each: results.append(call(interpreter, each, [*args], {**kwargs})) for each in f.functions
    ]
    interpreter.join_branches(interpreter.frame.scope, sides)
    return join_ways(results)


def _as_functions(interpreter: Interpreter, values: list[Any]) -> list[Any]:
    """Arguments for real code, which wants functions where they may be one of several."""

    def made(value: Any) -> Any:
        if not isinstance(value, Either):
            return value
        if value.function is None:
            value.function = interpreter.natives.function(
                lambda *args, **kwargs: interpreter.call(value, args, kwargs)
            )
        return value.function

    return [*map(made, values)] if any(isinstance(value, Either) for value in values) else values


@_CALLS.of(Instance)
def _of_instance(interpreter: Interpreter, f: Instance, args: list[Any], kwargs: dict[str, Any]) -> Any:
    method = attributes.method_of(interpreter, f, "__call__")
    return (
        _of_unknown(interpreter, f, args, kwargs)
        if method is None
        else call(interpreter, method, args, kwargs)
    )


@_CALLS.of(Namespace)
def _of_stand_in(interpreter: Interpreter, f: Namespace, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call of what stands for an object of a library."""
    return call(interpreter, f.names.get("__call__", UNKNOWN), args, kwargs)


@_CALLS.of(Callee)
def _of_callee(interpreter: Interpreter, f: Callee, args: list[Any], kwargs: dict[str, Any]) -> Any:
    interpreter.havoc([*args, *kwargs.values(), kwargs])
    return UNKNOWN if interpreter.context.is_certain or kwargs else declared_results.of_callee(f, args)


@_CALLS.of(PureExternal)
def _of_onlooker(interpreter: Interpreter, f: PureExternal, args: list[Any], kwargs: dict[str, Any]) -> Any:
    interpreter.may_raise_epoch += 1
    interpreter.escape([*args, *kwargs.values()], calls_methods=False)
    return f


@_CALLS.of(functools.partial)
def _of_partial(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    return call(
        interpreter,
        f.func,
        [*_sized(interpreter, f.args), *args],
        {**_sized(interpreter, f.keywords), **kwargs},
    )


@_CALLS.of(types.MethodType)
def _of_bound_method(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    if identity(f.__func__) in interpreter.functions or identity(f.__func__) in interpreter.made:
        return call(interpreter, f.__func__, [_sized(interpreter, f.__self__), *args], kwargs)
    return _of_object(interpreter, f, args, kwargs)


def _of_real_code(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call that leads to real code, which the gate has let pass."""
    handler = registry.handler_of(f)
    if handler is not None:
        with real_code.running(f, args, kwargs):
            return handler.handled(interpreter, f, args, kwargs)
    if identity(f) in interpreter.made:
        return _of_transformed(interpreter, interpreter.made[identity(f)], args, kwargs)
    if f in transformations.kinds():
        error = absent.refusal_of(f, args, kwargs)
        return (
            transformations.make(interpreter, f, args, kwargs)
            if error is None
            else absent.of_call(interpreter, f, error)
        )
    origin = typing.get_origin(f)
    if isinstance(origin, type) and origin in interpreter.classes:  # ``Stack[int](...)``
        return call(interpreter, origin, args, kwargs)
    if is_own(interpreter, f) and not layers.declares(f) and not _is_traced_with_unknown(f, args, kwargs):
        makes_new = isinstance(f, type) and identity(f.__new__) not in interpreter.functions
        with heap.making(f) if makes_new else nullcontext():
            made = real(interpreter, f, args, kwargs)
        jitted = interpreter.made.get(identity(inspect.getattr_static(type(f), "__call__", None)))
        if jitted is not None:  # which Python has called
            interpreter.rules.entered(jitted, [f, *args], kwargs)
        if isinstance(f, type) or contracts.makes_another(f):
            contracts.constructed(interpreter, made)
        is_new = makes_new and type(made) is f and not isinstance(made, enum.Enum)
        return heap.made(made) if is_new else made
    error = absent.refusal_of(f, args, kwargs) if interpreter.libraries.may_see(f) else None
    made = (
        _of_library(interpreter, f, args, kwargs) if error is None else absent.of_call(interpreter, f, error)
    )
    if contracts.makes_another(f):
        contracts.constructed(interpreter, made)
    return made


def _of_transformed(
    interpreter: Interpreter, made: transformations.Made, args: list[Any], kwargs: dict[str, Any]
) -> Any:
    """A call of what a transformation has made."""
    refused = len(interpreter.diagnostics.refusals)
    with real_code.running(made.function, args, kwargs):
        result = transformations.call(interpreter, made, args, kwargs)
    if len(interpreter.diagnostics.refusals) == refused:
        interpreter.rules.entered(made, args, kwargs)
    return result


def refuse(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any], closed: str) -> Any:
    """What a call gives that is not made, because of what it is given: something unknown has had that."""
    interpreter.havoc([*args, *kwargs.values(), kwargs])
    named = getattr(f, "__qualname__", None) or type(f).__qualname__
    interpreter.diagnostics.note(f"a call of {named} is not evaluated: it gets {closed}")
    return UNKNOWN


def _sized(interpreter: Interpreter, bound: Any) -> Any:
    """What a callable holds, with numbers for its unknown sizes where the call is tried with such."""
    sample = interpreter.context.sample
    return bound if sample is None else captured.substitute_dims(bound, sample)


def is_own(interpreter: Interpreter, f: Any) -> bool:
    """Whether a call only leads back to the program's functions, which take what is unknown."""
    if isinstance(f, type):
        return any(base in interpreter.classes for base in f.__mro__)
    holder = holder_of(f)
    if isinstance(f, (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)):
        cls = holder if isinstance(holder, type) else type(holder)
        return any(base in interpreter.classes for base in cls.__mro__) or isinstance(holder, super)
    return type(f) in interpreter.classes or any(base in interpreter.classes for base in type(f).__mro__)


def _is_traced_with_unknown(f: Any, args: list[Any], kwargs: dict[str, Any]) -> bool:
    """Whether a call is one of a method that a library jits, which takes nothing unknown."""
    is_jitted = isinstance(f, types.MethodType) and type(f.__func__).__name__ == absent.JITTED
    return is_jitted and any(map(arrays.holds_unknown, [*args, *kwargs.values()]))


def real(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """What a call of something real gives."""
    leaked = interpreter.returned_top
    tracing.left(interpreter, f, args)
    buffers.used(interpreter, args, kwargs)
    interpreter.rules.begin(f, args, kwargs)
    try:
        with real_code.running(f, args, kwargs):
            result = f(*args, **kwargs)
    except (RaisedException, ConcretizationError):
        raise
    except TooMuch:
        return interpreter.too_much()
    except Exception as error:  # what real code raises is what the program would meet
        result = tracings.computed(interpreter, f, args, kwargs, error)
        if result is not UNKNOWN:
            return result
        result = asked_numbers.called(interpreter, f, args, kwargs, error)
        if result is not UNKNOWN:
            return result
        told = tracer_errors.refused(interpreter, f, args, kwargs, error)
        if isinstance(error, TypeError) and type(error).__name__ == "ConcretizationTypeError":
            result = of_any_length(f, args, kwargs)
            if result is not None:
                return result
        if sharding.is_of_mesh(error):
            changed = sharding.without(args, kwargs)
            return UNKNOWN if changed is None else real(interpreter, f, *changed)
        sure = interpreter.returned_top == leaked and not told
        sure = sure and tracer_errors.stays(interpreter, f, args, kwargs, error)
        if sure and isinstance(error, TypeError):
            sure = not refusals.report_misfit(interpreter, f, args, kwargs)
        return refused(interpreter, f, [*args, *kwargs.values()], error, sure)
    interpreter.rules.end(f, args, kwargs, result)
    return result


def refused(interpreter: Interpreter, f: Any, values: list[Any], error: Exception, sure: bool) -> Any:
    """What the program goes on with after an error: if it is a library's refusal of known arrays, it is reported."""
    holder = holder_of(f)
    if arrays.is_array(holder):
        values = [holder, *values]
    if sure:
        refusals.report(interpreter, f, values, error)
    interpreter.may_raise_epoch += 1
    if not interpreter.context.is_retried:
        interpreter.escape([f, holder, *values])
    return interpreter.failed(error)


def of_library(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    """A call of a trusted library, by a function of ours that has seen what it is called with."""
    closed = gate.refusal(interpreter, f, args, kwargs)
    if closed is not None:
        return refuse(interpreter, f, args, kwargs, closed)
    return _of_library(interpreter, f, args, kwargs)


def _of_library(interpreter: Interpreter, f: Any, args: list[Any], kwargs: dict[str, Any]) -> Any:
    holder = holder_of(f)
    if isinstance(f, types.BuiltinMethodType) and type(holder) in (int, float) and f.__name__ in OF_NUMBERS:
        return real(interpreter, f, args, kwargs)
    if numpy_arrays.is_method(f):
        return numpy_arrays.call_method(interpreter, f, args, kwargs)
    if not interpreter.libraries.may_see(f) or not interpreter.libraries.is_trusted(
        f if hasattr(f, "__module__") else type(f)
    ):
        interpreter.havoc([*args, *kwargs.values(), kwargs])
        return interpreter.opaque(_named(f))
    limit = interpreter.natives.limits.get(identity(f))
    if limit is not None and limit[1](args, kwargs):
        return interpreter.too_much()
    way = _way_of(f, args, kwargs)
    if way is real:
        return real(interpreter, f, args, kwargs)
    interpreter.rules.begin(f, args, kwargs)
    with real_code.running(f, args, kwargs):
        result = way(interpreter, f, args, kwargs)
    interpreter.rules.tried(f, args, kwargs, result)
    return result


def _array_held(value: Any) -> Any:
    """What a function of arrays takes for an object that holds one, or for several in a list."""
    if type(value) in (list, tuple) and any(isinstance(item, Holder) for item in value):
        return type(value)(map(_array_held, value))
    return value.array if isinstance(value, Holder) else value


def _named(f: Any) -> str:
    """What a callable object is called in notes."""
    if isinstance(f, MethodCall):
        return f"the method {f.name}"
    named = getattr(f, "__qualname__", None) or type(f).__qualname__
    return f"{getattr(f, '__module__', None) or 'builtins'}.{named}"


def _way_of(f: Any, args: list[Any], kwargs: dict[str, Any]) -> Callable[..., Any]:
    """How a trusted library is called: with all that is known, or with examples of what is not."""
    if unknown_length.has_any_length(f, args, kwargs):
        return unknown_length.of_any_length
    if numpy_arrays.is_of_numpy(f):
        return numpy_arrays.call
    inputs = [*args, *kwargs.values()]
    has_unknown = any(map(arrays.holds_unknown, inputs))
    is_layer = layers.is_layer(f) or layers.declares(f)
    if is_layer and (layers.is_open(f) or has_unknown or has_symbols(inputs)):
        return layers.call
    inputs.append(holder_of(f))
    has_unknown = has_unknown or arrays.holds_unknown(inputs[-1])
    if layer_classes.is_class(f) and (has_unknown or layer_classes.has_sizes(args, kwargs)):
        return layer_classes.make
    if has_unknown:
        return abstract_calls.call_abstractly
    return size_trials.with_sizes if has_symbols(inputs) else real
