"""Statements."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING, Any

from ..control import Break, Continue, Frame, RaisedException, Return, Unreachable
from ..libraries.calls import real_code
from ..libraries.jax import meshes
from ..scopes import Scope
from ..values import heap
from ..values.callables import Namespace
from ..values.dispatch import ByKind
from ..values.records import Record
from ..values.unknowns import UNKNOWN, NumpyArray, PureExternal, Unknown
from . import (
    assignment,
    classes,
    contexts,
    contracts,
    declarations,
    declared_results,
    functions,
    imports,
    loops,
    narrowing,
)
from .matching import match
from .operators import BINARY, IN_PLACE
from .tracing import decided

if TYPE_CHECKING:
    from ..interpreter import Interpreter

Walk = Callable[["Interpreter", Any, Scope], None]


def walk(interpreter: Interpreter, node: ast.stmt, scope: Scope) -> None:
    """Walk one statement."""
    handler = _WALKS.get(type(node))
    if handler is None:
        assignment.bind_unknown(node, scope)
        interpreter.diagnostics.note(
            f"{scope.module.path}:{node.lineno}: {type(node).__name__} statements are not evaluated"
        )
    else:
        handler(interpreter, node, scope)


def expression(interpreter: Interpreter, node: ast.Expr, scope: Scope) -> None:
    interpreter.value(node.value, scope)
    if isinstance(node.value, ast.Call):
        narrowing.asserted(interpreter, node.value, scope)


def assign(interpreter: Interpreter, node: ast.Assign, scope: Scope) -> None:
    value = interpreter.value(node.value, scope)
    for target in node.targets:
        assignment.bind(interpreter, target, value, scope)


def annotated(interpreter: Interpreter, node: ast.AnnAssign, scope: Scope) -> None:
    if scope.of_class and isinstance(node.target, ast.Name):
        annotation = interpreter.value(node.annotation, scope)
        if "__annotations__" not in scope.variables:
            scope.assign("__annotations__", heap.made({}))
        heap.changing(scope.variables["__annotations__"])
        scope.variables["__annotations__"][node.target.id] = annotation
    if node.value is not None:
        value = interpreter.value(node.value, scope)
        interpreter.node = node
        contracts.assigned(interpreter, node, value, scope)
        value = declared_results.of_variable(interpreter, node, value, scope)
        assignment.bind(interpreter, node.target, value, scope)


def alias(interpreter: Interpreter, node: Any, scope: Scope) -> None:
    """``type Batch = ...`` (PEP 695). One with type parameters is unknown."""
    scope.bind(
        node.name.id, UNKNOWN if node.type_params else declarations.value_of(interpreter, node.value, scope)
    )


def augmented(interpreter: Interpreter, node: ast.AugAssign, scope: Scope) -> None:
    loaded = assignment.loaded(node.target)
    old, operand = interpreter.value(loaded, scope), interpreter.value(node.value, scope)
    # A list is extended in place; arrays and numbers are not changed by `+=`.
    in_place = IN_PLACE.get(type(node.op)) if isinstance(old, (list, dict, set)) else None
    interpreter.node = node
    if in_place is not None:
        heap.changing(old)
    value = interpreter.call(in_place or BINARY[type(node.op)], [old, operand], {})
    assignment.bind(interpreter, node.target, value, scope)


def returns(interpreter: Interpreter, node: ast.Return, scope: Scope) -> None:
    value = None
    if node.value is not None:
        value = interpreter.value(node.value, scope)
        interpreter.record(scope, node.value, "return", value)
        interpreter.node = node.value
    raise Return(value)


def condition(interpreter: Interpreter, node: ast.If, scope: Scope) -> None:
    outcome = decided(interpreter, interpreter.value(node.test, scope), "if", node.test)
    if outcome is None:
        sides = [
            _narrowed(interpreter, node.test, scope, which, body)
            for which, body in ((True, node.body), (False, node.orelse))
        ]
        interpreter.join_branches(scope, sides)
    else:
        interpreter.block(node.body if outcome else node.orelse, scope)


def _narrowed(
    interpreter: Interpreter, test: ast.expr, scope: Scope, outcome: bool, body: list[ast.stmt]
) -> Callable[[], None]:
    """The walk of one side of an ``if``, which knows of the variables what the test says: ``if x is None``."""

    def side() -> None:
        narrowing.narrow(interpreter, test, scope, outcome)
        interpreter.block(body, scope)

    return side


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
    with _entered(interpreter, context) as value:
        walked(value)


def _entered(interpreter: Interpreter, context: Any) -> AbstractContextManager[Any]:
    """The ``with`` of a context; it gives what the context gives."""
    if meshes.is_entered(context):
        return meshes.entered(interpreter, context)
    return _ENTERED.find(context)(interpreter, context)


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
    try:
        entered = cls.__enter__(context)
    except Exception:  # code of objects may raise anything: then no more is known
        kept.close()
        return _opaque(interpreter, context)

    def leave() -> None:
        with kept, real_code.using(context):
            cls.__exit__(context, None, None, None)

    return _left(entered, leave)


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
    """A context of which nothing is known: what it changes meanwhile is not known either."""
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


def tries(interpreter: Interpreter, node: ast.Try, scope: Scope) -> None:
    """A ``try``: handlers are walked where something may have raised."""
    uncertain, before = interpreter.may_raise_epoch, heap.now()
    try:
        _try(interpreter, node, scope, uncertain, before)
    except BaseException:
        interpreter.block(node.finalbody, scope)
        raise
    interpreter.block(node.finalbody, scope)


def _try(interpreter: Interpreter, node: ast.Try, scope: Scope, uncertain: int, before: Any) -> None:
    if not node.handlers:
        interpreter.block([*node.body, *node.orelse], scope)
        return
    error: Any = None
    try:
        with interpreter.within(trying=True, condition=next(interpreter.numbers)):
            interpreter.block(node.body, scope)
    except RaisedException as raised:
        error = raised.value
    if error is not None:
        _handle(interpreter, node, scope, error)
        return
    if interpreter.may_raise_epoch == uncertain:
        interpreter.block(node.orelse, scope)
        return
    # Something unknown took part: the body may end early, in any state from `before` on.
    handlers = [
        lambda handler=handler: _walk_handler(interpreter, handler, scope, UNKNOWN)
        for handler in node.handlers
    ]
    after = heap.now()

    def side(handler: Callable[[], None]) -> Callable[[], None]:
        def walked() -> None:
            interpreter.merge([before, after], scope)
            handler()

        return walked

    interpreter.join_branches(scope, [lambda: interpreter.block(node.orelse, scope), *map(side, handlers)])


def _handle(interpreter: Interpreter, node: ast.Try, scope: Scope, error: Any) -> None:
    """Walk the handler of a known error, or each if it is not known which is the one."""
    possible = []
    for handler in node.handlers:
        kinds = None if handler.type is None else interpreter.value(handler.type, scope)
        if isinstance(error, BaseException) and (kinds is None or _are_exceptions(kinds)):
            if kinds is None or isinstance(error, kinds):
                possible.append(handler)
                break
        else:
            possible.append(handler)
    if not possible:
        raise RaisedException(error)
    if len(possible) == 1 and isinstance(error, BaseException):
        _walk_handler(interpreter, possible[0], scope, error)
        return
    sides = [
        lambda handler=handler: _walk_handler(interpreter, handler, scope, UNKNOWN) for handler in possible
    ]
    interpreter.join_branches(scope, sides)


def _are_exceptions(kinds: Any) -> bool:
    several = kinds if isinstance(kinds, tuple) else (kinds,)
    return all(isinstance(kind, type) and issubclass(kind, BaseException) for kind in several)


def _walk_handler(interpreter: Interpreter, handler: ast.ExceptHandler, scope: Scope, error: Any) -> None:
    if handler.name:
        scope.bind(handler.name, error)
    interpreter.block(handler.body, scope)


def raises(interpreter: Interpreter, node: ast.Raise, scope: Scope) -> None:
    error = interpreter.value(node.exc, scope) if node.exc is not None else UNKNOWN
    if isinstance(error, type) and issubclass(error, BaseException):
        error = interpreter.call(error, [], {})
    raise RaisedException(error)


def asserts(interpreter: Interpreter, node: ast.Assert, scope: Scope) -> None:
    outcome = decided(interpreter, interpreter.value(node.test, scope), "assert", node.test)
    if outcome is False:
        raise RaisedException(AssertionError())
    if outcome is None:
        narrowing.narrow(interpreter, node.test, scope, True)


def deletes(interpreter: Interpreter, node: ast.Delete, scope: Scope) -> None:
    for target in node.targets:
        assignment.delete(interpreter, target, scope)


def defines(interpreter: Interpreter, node: ast.FunctionDef, scope: Scope) -> None:
    decorators = [interpreter.value(decorator, scope) for decorator in node.decorator_list]
    value = functions.make(interpreter, node, scope, node.name)
    for written, decorator in reversed([*zip(node.decorator_list, decorators, strict=True)]):
        interpreter.node = written
        value = interpreter.call(decorator, [value], {})
    interpreter.node = node
    scope.bind(node.name, value)


def defines_class(interpreter: Interpreter, node: ast.ClassDef, scope: Scope) -> None:
    scope.bind(node.name, classes.make(interpreter, node, scope))


def declares(interpreter: Interpreter, node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
    (scope.of_module if isinstance(node, ast.Global) else scope.of_outer).update(node.names)


def leaves(control: type[BaseException]) -> Walk:
    def walked(interpreter: Interpreter, node: ast.stmt, scope: Scope) -> None:
        raise control

    return walked


def nothing(interpreter: Interpreter, node: ast.stmt, scope: Scope) -> None:
    """``pass``."""


_WALKS: dict[type[ast.stmt], Walk] = {
    ast.Expr: expression,
    ast.Assign: assign,
    ast.AnnAssign: annotated,
    ast.AugAssign: augmented,
    ast.Return: returns,
    ast.If: condition,
    ast.For: loops.for_loop,
    ast.While: loops.while_loop,
    ast.With: with_statement,
    ast.Try: tries,
    ast.Raise: raises,
    ast.Assert: asserts,
    ast.Delete: deletes,
    ast.FunctionDef: defines,
    ast.AsyncFunctionDef: defines,
    ast.ClassDef: defines_class,
    ast.Global: declares,
    ast.Nonlocal: declares,
    ast.Break: leaves(Break),
    ast.Continue: leaves(Continue),
    ast.Pass: nothing,
    ast.Import: imports.import_modules,
    ast.ImportFrom: imports.import_names,
    ast.Match: match,
}
if sys.version_info >= (3, 12):
    _WALKS[ast.TypeAlias] = alias
__all__ = ["Frame", "Unreachable", "walk"]
