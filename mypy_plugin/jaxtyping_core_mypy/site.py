"""One call of a hook: the place that mypy asks about, with all that is needed to answer.

`jaxtyping_core_mypy.guard` makes a `Site` for each call of a hook.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
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
from mypy.plugin import AttributeContext, FunctionSigContext, MethodContext, MethodSigContext

from jaxtyping_core.domain.values import Value
from jaxtyping_core.evaluation.protocol import OWN_CODES, Answer
from jaxtyping_core.pages import page
from jaxtyping_core_mypy import errors, mypy_internals
from jaxtyping_core_mypy.convert import Reader, Type, Writer, is_one_of_several_arrays
from jaxtyping_core_mypy.engine import Engine

#: What a hook does: mypy's type for the place, or a better one.
Callback = Callable[["Site"], Any]


class Site:
    """The place of one call of a hook."""

    def __init__(self, ctx: Any, engine: Engine) -> None:
        self.ctx = ctx
        #: The checker, whose own attributes are more than mypy's interface for plugins has.
        self.api: Any = ctx.api
        self.engine = engine
        self.facts = engine.module.facts(ctx.api, ctx.context)
        #: The promotion system of the array layer that is in force here; None if that is not known.
        self.system = self.facts.system(ctx.api, ctx.context)
        #: Whether an error was reported here.
        self.has_failed = False

    @functools.cached_property
    def reader(self) -> Reader:
        """Reads what mypy knows of the arguments."""
        return Reader(self.api, self.engine.x64, self.facts, self.ctx.context.line)

    @functools.cached_property
    def writer(self) -> Writer:
        """Writes answers as types."""
        return Writer(self.api, self.reader.symbols, self.engine.find_class)

    @property
    def default(self) -> Type:
        """The type that mypy has found."""
        return default_of(self.ctx)

    def ask(self, function: str, args: Sequence[Value], kwargs: Mapping[str, Value] | None = None) -> Answer:
        """JAX's answer to a call at this place."""
        return self.engine.ask(self.system, function, args, kwargs)

    def fail(self, message: str, code: ErrorCode, place: Context | None = None) -> None:
        """Report an error here, or at another place whatever mypy tries here, with a link where mypy gives one for its own.

        What one member of a union refuses, another may accept: after ``for w in weights: x = x @ w`` mypy takes `x`
        for the union of what it is after each number of rounds, and asks about each member on its own.
        """
        self.has_failed = True
        if place is not None:
            with mypy_internals.heard(self.api.errors):
                self._fail(message, code, place)
        elif not (isinstance(self.ctx, (MethodContext, AttributeContext)) and self._is_one_of_several()):
            self._fail(message, code, self.ctx.context)

    def _fail(self, message: str, code: ErrorCode, context: Context) -> None:
        options = self.api.options
        self.api.fail(message, context, code=code)
        if options.show_error_code_links and not options.hide_error_codes and code.code in OWN_CODES:
            link = errors.LINK.format(page=page(f"reference/codes/{code.code}"))
            self.api.errors.report(
                context.line, context.column, link, severity="note", only_once=True, code=code
            )

    def _is_one_of_several(self) -> bool:
        """Whether an operand whose operator or method this is may be one of several arrays."""
        types = [self.api.lookup_type_or_none(operand) for operand in _operands(self.ctx.context)]
        return any(typ is not None and is_one_of_several_arrays(typ) for typ in types)


def default_of(ctx: Any) -> Type:
    """The type that mypy has found for the place of a hook."""
    name = _DEFAULTS.get(type(ctx), "default_return_type")
    typ: Type = getattr(ctx, name)
    return typ


#: Where contexts have that type which are not of calls.
_DEFAULTS: dict[type, str] = {
    AttributeContext: "default_attr_type",
    FunctionSigContext: "default_signature",
    MethodSigContext: "default_signature",
}


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
