"""What a function's body does with its parameters that leaves their dims open.

A loop gives other arrays to a parameter: ``for layer in self.layers: x = layer(x)``. It may have no rounds, so that mypy takes
`x` for what it was or for what the layers make of it; nobody means the first. And ``if n == m`` makes dims equal that
have different names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from mypy.nodes import (
    AssertStmt,
    AssignmentStmt,
    Block,
    CallExpr,
    ComparisonExpr,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    IfStmt,
    IndexExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RaiseStmt,
    Statement,
    TupleExpr,
    UnaryExpr,
    WhileStmt,
)

from jaxtyping_core_mypy.trees import statements_inside

#: What the names of functions have in them that assert something of sizes, such as ``chex.assert_equal_shape([x, y])``.
OF_SIZES = ("shape", "size", "axis_dimension", "broadcastable")


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


def compares_sizes(function: FuncDef) -> bool:
    """Whether a function asks if one size of an array is another, or sees to it that a size is some number.

    Its dims are then equal, or that number, in a part of it.
    """
    statements = list(statements_inside(function.body))
    sizes = _sizes(statements)
    return any(_asks(statement, sizes) for statement in statements)


def asserts_sizes(statement: Statement) -> bool:
    """Whether a statement calls a function that asserts something of sizes."""
    match statement:
        case ExpressionStmt(expr=CallExpr(callee=NameExpr(name=name) | MemberExpr(name=name))):
            return name.startswith("assert_") and any(word in name for word in OF_SIZES)
    return False


def _asks(statement: Statement, sizes: set[str]) -> bool:
    match statement:
        case AssertStmt(expr=condition):
            return _compares(condition, sizes, any)
        case IfStmt(expr=conditions, body=bodies):
            return any(
                # After ``if x.shape[1] != 3: raise`` the size is 3.
                _compares(condition, sizes, any if _raises(body) else all)
                for condition, body in zip(conditions, bodies, strict=True)
            )
    return asserts_sizes(statement)


def _raises(body: Block) -> bool:
    return bool(body.body) and isinstance(body.body[-1], RaiseStmt)


def _sizes(statements: list[Statement]) -> set[str]:
    """The variables that are sizes."""
    return {
        name
        for statement in statements
        if isinstance(statement, AssignmentStmt) and any(map(_is_size, _items(statement.rvalue)))
        for target in statement.lvalues
        for name in _names(target)
    }


def _compares(condition: Expression, sizes: set[str], which: Callable[[Iterable[bool]], bool]) -> bool:
    """Whether a condition compares sizes: all that is compared is one, or any of it."""
    match condition:
        case ComparisonExpr(operators=[("==" | "!=")], operands=operands):
            return which(
                _is_size(operand) or (isinstance(operand, NameExpr) and operand.name in sizes)
                for operand in operands
            )
        case OpExpr(op="and" | "or", left=left, right=right):
            return _compares(left, sizes, which) or _compares(right, sizes, which)
        case UnaryExpr(op="not", expr=inner):
            return _compares(inner, sizes, which)
    return False


def _is_size(expression: Expression) -> bool:
    match expression:
        case IndexExpr(base=MemberExpr(name="shape")) | MemberExpr(name="shape" | "size"):
            return True
        case CallExpr(callee=NameExpr(name="len")):
            return True
    return False


def _items(expression: Expression) -> list[Expression]:
    return expression.items if isinstance(expression, TupleExpr) else [expression]


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
