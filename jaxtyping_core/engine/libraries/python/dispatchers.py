"""``functools.singledispatch``: which function a call takes, by the class of its first argument.

The source of the rules is the documentation of `functools`. What JAX traces is of a class of its own, of which `isinstance`
says that it is a `jax.Array`, and of which this choice does not: a function for ``jax.Array`` is passed over there.
"""

from __future__ import annotations

import functools
import types
import typing
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import jax

from ....identity import identity
from ...language import tracing
from ...rules.rule import is_followed
from ...values import arrays, heap
from ...values.unknowns import UNKNOWN, Unknown
from .builtin_functions import class_of

if TYPE_CHECKING:
    from ...interpreter import Interpreter

Native = Callable[..., Any]
#: The kind of a call that takes another function only because JAX traces.
KIND = "dispatch"
PASSED_OVER = (
    "{argument} is traced here ({array}), so {name} takes its function for {taken}, not that for {expected}: for"
    " functools.singledispatch, what is traced is no jax.Array; test isinstance(x, jax.Array) in {name}"
)


def _singledispatch(interpreter: Interpreter) -> Native:
    def singledispatch(default: Any) -> Any:
        return _dispatcher(interpreter, default) if callable(default) else UNKNOWN

    return singledispatch


def _dispatcher(interpreter: Interpreter, default: Any) -> Native:
    """The function that chooses, with its methods."""
    chosen: dict[Any, Any] = {object: default}

    def dispatched(*args: Any, **kwargs: Any) -> Any:
        kind = _class_in_program(interpreter, args[0]) if args else None
        taken = None if kind is None else _taken(chosen, kind)
        if taken is None:
            interpreter.havoc([*args, *kwargs.values()])
            return UNKNOWN
        expected = _taken(chosen, jax.Array) if kind is jax.core.Tracer else taken
        if expected is not None and chosen[expected] is not chosen[taken]:
            # JAX 0.10 has the module in the name of its class.
            told = {"taken": taken.__name__, "expected": expected.__name__.rpartition(".")[2]}
            _report(interpreter, args[0], name=dispatched.__name__, **told)
        return interpreter.call(chosen[taken], [*args], kwargs)

    def register(*args: Any, **named: Any) -> Any:
        cls, *functions = (*args, *named.values())
        if functions:
            return _add(chosen, cls, functions[0])
        if not isinstance(cls, type) and not isinstance(cls, types.UnionType) and callable(cls):
            return _add(chosen, _declared(interpreter, cls), cls)
        return interpreter.natives.function(lambda function: _add(chosen, cls, function))

    def dispatch(cls: Any) -> Any:
        taken = _taken(chosen, cls) if isinstance(cls, type) else None
        return UNKNOWN if taken is None else chosen[taken]

    for name, method in {"register": register, "dispatch": dispatch}.items():
        setattr(dispatched, name, interpreter.natives.function(method))
    dispatched.__name__ = getattr(default, "__name__", "dispatched")
    return interpreter.natives.function(dispatched)


def _add(chosen: dict[Any, Any], classes: Any, function: Any) -> Any:
    heap.changing(chosen)
    for cls in _each(classes):
        chosen[cls] = function
    return function


def _each(classes: Any) -> Iterator[Any]:
    """The classes that a function is registered for; None for one that is not known."""
    for cls in typing.get_args(classes) if isinstance(classes, types.UnionType) else [classes]:
        yield cls if isinstance(cls, type) else None


def _declared(interpreter: Interpreter, registered: Any) -> Any:
    """The class that a function declares its first parameter to be of."""
    function = interpreter.functions.get(identity(registered))
    arguments = function.node.args if function is not None else None
    first = next(iter([*arguments.posonlyargs, *arguments.args]), None) if arguments is not None else None
    if function is None or first is None or first.annotation is None:
        return UNKNOWN
    return interpreter.value(first.annotation, function.scope)


def _class_in_program(interpreter: Interpreter, value: Any) -> type | None:
    """The class of a value when the program runs; None if that is not known."""
    if arrays.is_jax(value):
        outcome = interpreter.traces.is_tracer(value)
        return None if outcome is None else jax.core.Tracer if outcome else jax.Array
    known = class_of(value)
    return known if known is not None or isinstance(value, Unknown) else type(value)


def _taken(chosen: dict[Any, Any], cls: type) -> Any:
    """The class whose function a class takes, None if that is not known: Python's own choice, between stand-ins of ours."""
    if None in chosen:
        return None
    places: dict[Any, Native] = {known: lambda _: None for known in chosen}
    choice = functools.singledispatch(places[object])
    try:
        for known, place in places.items():
            choice.register(known, place)
        taken = choice.dispatch(cls)
    except Exception:  # two classes that fit equally, or whatever a class of the program does
        return None
    return next(known for known, place in places.items() if place is taken)


def _report(interpreter: Interpreter, value: Any, **told: str) -> None:
    if is_followed(interpreter) and not interpreter.context.is_speculative:
        argument = tracing.argument_of(interpreter.node)
        message = PASSED_OVER.format(argument=argument, array=arrays.spelled_array(value), **told)
        interpreter.diagnostics.report(interpreter.frames, interpreter.node, KIND, message, told=())


FUNCTIONS = {"functools.singledispatch": _singledispatch}
