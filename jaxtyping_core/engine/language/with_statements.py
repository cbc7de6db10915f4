"""``with`` statements, and the contexts that they enter."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

import jax

from ..libraries.calls import real_code
from ..libraries.calls.memo import keeping_options
from ..libraries.jax import meshes
from ..scopes import Scope
from ..values.callables import Function, Namespace
from ..values.dispatch import ByKind
from ..values.records import Record
from ..values.unknowns import UNKNOWN, NumpyArray, PureExternal, Unknown
from . import (
    assignment,
    contexts,
)
from .try_statements import tries

if TYPE_CHECKING:
    from ..interpreter import Interpreter


def with_statement(interpreter: Interpreter, node: ast.With, scope: Scope) -> None:
    """A ``with``: what the contexts of trusted libraries do is done; others are unknown objects."""
    _within(interpreter, node.items, node.body, scope)


def _within(interpreter: Interpreter, items: list[ast.withitem], body: list[ast.stmt], scope: Scope) -> None:
    """Walk the body of a ``with`` in these contexts."""
    if not items:
        interpreter.block(body, scope)
        return
    first, *others = items
    context = interpreter.value(first.context_expr, scope)
    kinds = contexts.caught(first)
    if kinds is not None and not isinstance(context, contexts.Managed):
        if first.optional_vars is not None:
            assignment.bind(interpreter, first.optional_vars, UNKNOWN, scope)
        rest: list[ast.stmt] = [ast.copy_location(ast.With(others, body), body[0])] if others else body
        tries(interpreter, contexts.as_try(kinds, rest), scope)
        return

    def walked(entered: Any) -> None:
        if first.optional_vars is not None:
            entered = interpreter.observed.seen(scope.module.path, first.optional_vars, entered)
            assignment.bind(interpreter, first.optional_vars, entered, scope)
        _within(interpreter, others, body, scope)

    if isinstance(context, contexts.Managed):
        contexts.walk(interpreter, context, walked)
        return
    with entered(interpreter, context) as value:
        walked(value)


def entered(interpreter: Interpreter, context: Any) -> AbstractContextManager[Any]:
    """The ``with`` of a context; it gives what the context gives."""
    if meshes.is_entered(context):
        return meshes.entered(interpreter, context)
    return _ENTERED.find(context)(interpreter, context)


@contextmanager
def from_outside(interpreter: Interpreter, function: Function) -> Iterator[None]:
    """Around a call that no statement makes: the contexts that decorate the function hold, and its switches end with it."""
    with keeping_options(), ExitStack() as stack:
        for context in function.contexts:
            stack.enter_context(entered(interpreter, context))
        yield


def _entered_object(interpreter: Interpreter, context: Any) -> AbstractContextManager[Any]:
    cls = type(context)
    if cls in interpreter.classes:
        if not hasattr(cls, "__enter__"):
            return nullcontext(UNKNOWN)
        value = interpreter.call(cls.__enter__, [context], {})
        return _left(value, lambda: interpreter.call(cls.__exit__, [context, None, None, None], {}))
    if interpreter.libraries.is_trusted(cls) and hasattr(cls, "__enter__"):
        return _of_library(interpreter, context)
    return _opaque(interpreter, context)


def _of_library(interpreter: Interpreter, context: Any) -> AbstractContextManager[Any]:
    """A context of a library, which may keep it until it is left."""
    cls, kept = type(context), ExitStack()
    kept.enter_context(real_code.using(context))
    before = jax.config.jax_enable_x64
    try:
        value = cls.__enter__(context)
    except Exception:  # code of objects may raise anything: then no more is known
        kept.close()
        return _opaque(interpreter, context)
    switches = int(jax.config.jax_enable_x64 != before)
    interpreter.width_contexts += switches

    def leave() -> None:
        interpreter.width_contexts -= switches
        with kept, real_code.using(context):
            cls.__exit__(context, None, None, None)

    return _left(value, leave)


@contextmanager
def _left(value: Any, leave: Callable[[], Any]) -> Iterator[Any]:
    """A context that has been entered already."""
    try:
        yield value
    finally:
        leave()


_ENTERED: ByKind[Callable[[Interpreter, Any], AbstractContextManager[Any]]] = ByKind(_entered_object)


@_ENTERED.of(Unknown)
@contextmanager
def _opaque(interpreter: Interpreter, context: Any) -> Iterator[Any]:
    """An unknown context. It may change values while its body runs, so these become unknown."""
    with interpreter.within(opaque=True):
        yield UNKNOWN


@_ENTERED.of(PureExternal)
def _onlooker(interpreter: Interpreter, context: PureExternal) -> AbstractContextManager[Any]:
    return nullcontext(UNKNOWN)


@_ENTERED.of(Namespace, NumpyArray, Record)
def _file(interpreter: Interpreter, context: Any) -> AbstractContextManager[Any]:
    return nullcontext(context)  # it is closed afterwards


@_ENTERED.of(contexts.AtOnce)
def _at_once(interpreter: Interpreter, context: contexts.AtOnce) -> AbstractContextManager[None]:
    return interpreter.within(at_once=True)
