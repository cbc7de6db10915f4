"""Errors that are shown, and those that are not: what one member of a union refuses, another may accept.

After ``for w in weights: x = x @ w`` mypy takes `x` for the union of what it is after each number of rounds, and
asks about each member on its own. The program may know which one it is.
"""

from __future__ import annotations

from typing import Any

from mypy.errorcodes import ErrorCode
from mypy.nodes import (
    CallExpr,
    ComparisonExpr,
    Context,
    Expression,
    IndexExpr,
    MemberExpr,
    OperatorAssignmentStmt,
    OpExpr,
    UnaryExpr,
)
from mypy.plugin import AttributeContext, FunctionContext, MethodContext
from mypy.types import UnionType, get_proper_type

from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.convert import is_array


def fail(ctx: FunctionContext | MethodContext | AttributeContext, message: str, code: ErrorCode) -> None:
    """Report an error at the expression at hand, with a link where mypy gives one for its own."""
    if isinstance(ctx, (MethodContext, AttributeContext)) and _is_one_of_several(ctx.api, ctx.context):
        return
    api: Any = ctx.api  # the checker's own attributes
    api.fail(message, ctx.context, code=code)
    if api.options.show_error_code_links and not api.options.hide_error_codes:
        line, column = ctx.context.line, ctx.context.column
        link = errors.LINK.format(code=code.code)
        api.errors.report(line, column, link, severity="note", only_once=True, code=code)


def _is_one_of_several(api: Any, context: Context) -> bool:
    """Whether an operand whose operator or method this is may be one of several arrays."""
    for operand in _operands(context):
        typ = get_proper_type(api.lookup_type_or_none(operand))
        if isinstance(typ, UnionType) and sum(map(is_array, typ.items)) > 1:
            return True
    return False


def _operands(context: Context) -> list[Expression]:
    match context:
        case OpExpr():
            return [context.left, context.right]
        case ComparisonExpr():
            return context.operands
        case OperatorAssignmentStmt():
            return [context.lvalue, context.rvalue]
        case CallExpr(callee=MemberExpr() as callee):
            return [callee.expr]
        case IndexExpr():
            return [context.base]
        case MemberExpr() | UnaryExpr():
            return [context.expr]
    return []
