"""Parameters that a loop gives other arrays to: ``for layer in self.layers: x = layer(x)``.

A loop may have no rounds, so that mypy takes `x` for what it was or for what the layers make of it. Nobody means the first.
"""

from __future__ import annotations

from collections.abc import Iterator

from mypy.nodes import (
    AssignmentStmt,
    CallExpr,
    Expression,
    ForStmt,
    FuncDef,
    IndexExpr,
    MemberExpr,
    NameExpr,
    TupleExpr,
    WhileStmt,
)

from jaxtyping_core_mypy.facts import statements_inside


def reassigned(function: FuncDef) -> set[str]:
    """The variables that a function's loops give the result of a call to about which its name says nothing."""
    names: set[str] = set()
    for loop in statements_inside(function.body):
        if isinstance(loop, (ForStmt, WhileStmt)):
            targets = {"self", *(_names(loop.index) if isinstance(loop, ForStmt) else ())}
            for statement in statements_inside(loop.body):
                if isinstance(statement, AssignmentStmt) and _calls_one_of(statement.rvalue, targets):
                    names.update(name for target in statement.lvalues for name in _names(target))
    return names


def _calls_one_of(value: Expression, targets: set[str]) -> bool:
    if not isinstance(value, CallExpr):
        return False
    callee = value.callee
    while isinstance(callee, MemberExpr):
        callee = callee.expr
    return isinstance(callee, (IndexExpr, CallExpr)) or (
        isinstance(callee, NameExpr) and callee.name in targets
    )


def _names(target: Expression) -> Iterator[str]:
    if isinstance(target, NameExpr):
        yield target.name
    elif isinstance(target, TupleExpr):
        for item in target.items:
            yield from _names(item)
