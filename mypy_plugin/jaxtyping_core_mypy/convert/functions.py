"""Functions as values: lambdas over arrays, and what calls of JAX's functions return that is no array.

Of a lambda, only operators, JAX's functions, and the attributes and methods of arrays are read: the program's
own functions are never run, and a lambda with anything else in it is unknown.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from mypy.nodes import (
    ARG_NAMED,
    ARG_POS,
    CallExpr,
    ComparisonExpr,
    DictExpr,
    Expression,
    IndexExpr,
    LambdaExpr,
    ListExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    SliceExpr,
    TupleExpr,
    UnaryExpr,
)

from jaxtyping_core.domain.values import NONE, Call, Dict, Lambda, List, Parameter, Slice, Tuple, Value
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.expressions import type_of
from jaxtyping_core_mypy.operator_table import BY_SYMBOL, UNARY

if TYPE_CHECKING:
    from jaxtyping_core_mypy.convert.reader import Reader

#: How deep calls are read in calls: mypy infers the inner ones again for each.
DEEPEST = 3


def known(values: Iterable[Value | None]) -> list[Value] | None:
    """`values`, if each is known; none is looked at after one that is not."""
    certain = list[Value]()
    for value in values:
        if value is None:
            return None
        certain.append(value)
    return certain


def read_lambda(reader: Reader, expr: LambdaExpr, outer: frozenset[str] = frozenset()) -> Value | None:
    """A lambda whose parameters are all positional; `outer` are those of the lambdas around it."""
    if any(kind != ARG_POS for kind in expr.arg_kinds):
        return None
    parameters = [argument.variable.name for argument in expr.arguments]
    body = _Body(reader, outer | set(parameters)).read(expr.expr())
    return None if body is None else Lambda(tuple(parameters), body)


def read_call(reader: Reader, expr: CallExpr) -> Value | None:
    """A call of a function of JAX, or of one that such a call returns."""
    facts = reader.facts
    if facts.calls_being_read >= DEEPEST:
        return None
    facts.calls_being_read += 1
    try:
        return _Body(reader, frozenset()).call(expr)
    finally:
        facts.calls_being_read -= 1


class _Body:
    """Reads expressions in which some names are parameters."""

    def __init__(self, reader: Reader, parameters: frozenset[str]) -> None:
        self.reader = reader
        self.parameters = parameters

    def read(self, expr: Expression) -> Value | None:
        """The value of an expression; None where it is not known."""
        if not self._depends(expr):
            typ = type_of(self.reader.api, expr)
            return self.reader.argument(expr, typ)
        match expr:
            case NameExpr():
                return Parameter(expr.name)
            case MemberExpr():
                return self._apply(f"attribute:{expr.name}", [expr.expr])
            case OpExpr() if expr.op in BY_SYMBOL:
                return self._apply(BY_SYMBOL[expr.op].function, [expr.left, expr.right])
            case ComparisonExpr() if len(expr.operators) == 1 and expr.operators[0] in BY_SYMBOL:
                return self._apply(BY_SYMBOL[expr.operators[0]].function, expr.operands)
            case UnaryExpr() if expr.op in UNARY:
                return self._apply(UNARY[expr.op], [expr.expr])
            case IndexExpr():
                return self._apply("method:__getitem__", [expr.base, expr.index])
            case TupleExpr() | ListExpr():
                items = self._all(expr.items)
                kind = Tuple if isinstance(expr, TupleExpr) else List
                return None if items is None else kind(tuple(items))
            case DictExpr():
                return self._dict(expr)
            case SliceExpr():
                parts = (expr.begin_index, expr.end_index, expr.stride)
                values = known(NONE if part is None else self.read(part) for part in parts)
                return None if values is None else Slice(*values)
            case CallExpr():
                return self.call(expr)
            case LambdaExpr():
                return read_lambda(self.reader, expr, self.parameters)
        return None

    def call(self, expr: CallExpr) -> Value | None:
        """A call of a function of JAX, of a method of an array, or of what such a call returns."""
        args: list[Expression] = []
        kwargs: dict[str, Value] = {}
        for arg, kind, name in zip(expr.args, expr.arg_kinds, expr.arg_names, strict=True):
            if kind == ARG_POS:
                args.append(arg)
                continue
            value = self.read(arg)
            if kind != ARG_NAMED or name is None or value is None:
                return None
            kwargs[name] = value
        callee = expr.callee
        if isinstance(callee, RefExpr) and (path := names.public_path(callee.fullname)):
            return self._apply(path, args, kwargs)
        if isinstance(callee, MemberExpr) and self._depends(callee.expr):
            return self._apply(f"method:{callee.name}", [callee.expr, *args], kwargs)
        is_own = isinstance(callee, RefExpr) and self.reader.own(callee) is not None
        return (
            self._apply("value", [callee, *args], kwargs) if is_own or isinstance(callee, CallExpr) else None
        )

    def _apply(
        self, function: str, args: list[Expression], kwargs: dict[str, Value] | None = None
    ) -> Value | None:
        values = self._all(args)
        return None if values is None else Call(function, tuple(values), kwargs or {})

    def _all(self, exprs: list[Expression]) -> list[Value] | None:
        return known(self.read(expr) for expr in exprs)

    def _dict(self, expr: DictExpr) -> Value | None:
        pairs = []
        for key, item in expr.items:
            values = None if key is None else self._all([key, item])
            if values is None:
                return None
            pairs.append((values[0], values[1]))
        return Dict(tuple(pairs))

    def _depends(self, expr: Expression | None) -> bool:
        """Whether a parameter is part of the expression."""
        match expr:
            case NameExpr():
                return expr.name in self.parameters
            case MemberExpr() | UnaryExpr():
                return self._depends(expr.expr)
            case OpExpr():
                return self._depends(expr.left) or self._depends(expr.right)
            case ComparisonExpr():
                return any(map(self._depends, expr.operands))
            case IndexExpr():
                return self._depends(expr.base) or self._depends(expr.index)
            case TupleExpr() | ListExpr():
                return any(map(self._depends, expr.items))
            case DictExpr():
                return any(self._depends(part) for pair in expr.items for part in pair)
            case SliceExpr():
                return any(map(self._depends, (expr.begin_index, expr.end_index, expr.stride)))
            case CallExpr():
                return self._depends(expr.callee) or any(map(self._depends, expr.args))
            case LambdaExpr():
                return True  # reading it decides
        return False
