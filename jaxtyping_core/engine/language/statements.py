"""Statements."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ...identity import identity
from ..control import Break, Continue, RaisedException, Return
from ..scopes import Scope
from ..values import heap
from ..values.unknowns import UNKNOWN
from . import (
    assignment,
    classes,
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
from .try_statements import tries
from .with_statements import with_statement

if TYPE_CHECKING:
    from ..interpreter import Interpreter

Walk = Callable[["Interpreter", Any, Scope], None]


def walk(interpreter: Interpreter, node: ast.stmt, scope: Scope) -> None:
    """Walk one statement."""
    handler = next((_WALKS[kind] for kind in type(node).__mro__ if kind in _WALKS), None)
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
    made = interpreter.functions.get(identity(value))
    if made is not None:
        made.contexts = [each for each in decorators if _is_context(interpreter, each)]
    for written, decorator in reversed([*zip(node.decorator_list, decorators, strict=True)]):
        interpreter.node = written
        value = interpreter.call(decorator, [value], {})
    interpreter.node = node
    scope.bind(node.name, value)


def _is_context(interpreter: Interpreter, value: Any) -> bool:
    """Whether a decorator is a context of a library, which it enters around each call."""
    cls = type(value)
    return hasattr(cls, "__enter__") and callable(value) and interpreter.libraries.is_trusted(cls)


def defines_class(interpreter: Interpreter, node: ast.ClassDef, scope: Scope) -> None:
    scope.bind(node.name, classes.make(interpreter, node, scope))


def declares(interpreter: Interpreter, node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
    (scope.of_module if isinstance(node, ast.Global) else scope.of_outer).update(node.names)


def leaves(control: type[BaseException]) -> Walk:
    def walked(interpreter: Interpreter, node: ast.stmt, scope: Scope) -> None:
        raise control

    return walked


def leave_out(interpreter: Interpreter, statement: ast.stmt, scope: Scope) -> None:
    """A statement that takes too long: what it binds is unknown, and what it could have changed."""
    note = f"{scope.module.path}:{statement.lineno}: left out, because it takes too long to evaluate"
    interpreter.diagnostics.note(note)
    interpreter.diagnostics.lost[note] = None
    interpreter.unresolved.skips(statement)
    names = [node.id for node in ast.walk(statement) if isinstance(node, ast.Name)]
    holders = [scope.holder(name) for name in names]
    interpreter.havoc(
        holder.variables[name] for name, holder in zip(names, holders, strict=True) if holder is not None
    )
    assignment.bind_unknown(statement, scope)
    if isinstance(statement, ast.Return):
        raise Return(UNKNOWN)


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
