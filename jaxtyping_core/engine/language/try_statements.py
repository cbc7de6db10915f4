"""``try`` statements: handlers are walked where something may have raised."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..control import Break, Continue, RaisedException, Return, Unreachable
from ..scopes import Scope
from ..values import heap
from ..values.unknowns import UNKNOWN

if TYPE_CHECKING:
    from ..interpreter import Interpreter


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
    outer, interpreter.raised = interpreter.raised, []
    left: Return | Break | Continue | Unreachable | None = None
    try:
        with interpreter.within(trying=True, condition=next(interpreter.numbers)):
            interpreter.block(node.body, scope)
    except RaisedException as raised:
        error = raised.value
    except (Return, Break, Continue, Unreachable) as control:
        if interpreter.may_raise_epoch == uncertain:
            raise
        left = control
    finally:
        states, interpreter.raised = interpreter.raised, outer
        if outer is not None:  # what no handler here catches
            outer += states
    if error is not None:
        if states:
            interpreter.merge([*states, heap.now()], scope)
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
    states = [before, *states, after]

    def side(handler: Callable[[], None]) -> Callable[[], None]:
        def walked() -> None:
            interpreter.merge(states, scope)
            handler()

        return walked

    def ends() -> None:
        if left is not None:  # the body leaves the function or the loop, if nothing raises an error before
            raise left
        interpreter.block(node.orelse, scope)

    interpreter.join_branches(scope, [ends, *map(side, handlers)])


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
