"""What statements assign to, and what they change of containers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    DelStmt,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    IndexExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OperatorAssignmentStmt,
    StarExpr,
    Statement,
    TupleExpr,
    WithStmt,
)

from jaxtyping_core_mypy.trees import statements_inside

#: Methods that change a container, or keep what they are passed.
MUTATORS = frozenset(
    {
        *("append", "insert", "extend", "update", "setdefault", "add", "appendleft", "extendleft", "put"),
        *("pop", "popitem", "popleft", "remove", "clear", "sort", "reverse", "discard", "fill", "register"),
    }
)


def targets(statement: Statement) -> Iterator[Any]:
    """What a statement assigns to or changes."""
    waiting: list[Any] = []
    match statement:
        case AssignmentStmt():
            waiting = list(statement.lvalues)
        case OperatorAssignmentStmt():
            waiting = [statement.lvalue]
        case ForStmt():
            waiting = [statement.index]
        case WithStmt():
            waiting = list(statement.target)
        case DelStmt():
            waiting = [statement.expr]
        case ExpressionStmt(expr=CallExpr(callee=MemberExpr(name=name, expr=owner))) if name in MUTATORS:
            waiting = [owner]
    while waiting:
        target = waiting.pop()
        if isinstance(target, (TupleExpr, ListExpr)):
            waiting.extend(target.items)
        elif isinstance(target, StarExpr):
            waiting.append(target.expr)
        elif target is not None:
            yield target


def root_of(expression: Expression) -> tuple[NameExpr | MemberExpr | None, list[Expression]]:
    """The variable in ``params["layer"]["w"]``, and the keys."""
    keys: list[Expression] = []
    while isinstance(expression, IndexExpr):
        keys.insert(0, expression.index)
        expression = expression.base
    return (expression if isinstance(expression, (NameExpr, MemberExpr)) else None), keys


def changes(function: FuncDef, parameter: str) -> bool:
    """Whether the body of a function changes what is in the container that is passed for a parameter."""
    roots = [
        root_of(target)[0]
        for statement in statements_inside(function.body)
        for target in targets(statement)
        if isinstance(target, IndexExpr) or isinstance(statement, ExpressionStmt)
    ]
    return any(isinstance(root, NameExpr) and root.name == parameter for root in roots)
