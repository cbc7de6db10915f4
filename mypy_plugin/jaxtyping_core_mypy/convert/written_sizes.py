"""Sizes as programs write them: ``x.shape[0]``, ``n`` after ``n, d = x.shape``, ``n * d``."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mypy.nodes import (
    CallExpr,
    Expression,
    IndexExpr,
    IntExpr,
    MemberExpr,
    NameExpr,
    OpExpr,
    RefExpr,
    TupleExpr,
    UnaryExpr,
)

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core_mypy.convert.expressions import type_of

if TYPE_CHECKING:
    from jaxtyping_core_mypy.convert.reader import Reader

#: The operators of which the result is a size, as JAX writes them for symbolic sizes and as Python computes them.
FORMULAS: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "+": ("({}) + ({})", operator.add),
    "-": ("({}) - ({})", operator.sub),
    "*": ("({}) * ({})", operator.mul),
    "//": ("floordiv({}, {})", operator.floordiv),
    "%": ("mod({}, {})", operator.mod),
}
#: How far a name is followed to what it was given.
FARTHEST = 8


def dims_of(reader: Reader, expression: Expression, depth: int = 0) -> list[Dim]:
    """The sizes that an expression is, as it is written; None for what is none."""
    match expression:
        case IntExpr(value=size):
            return [size]
        case TupleExpr(items=items):
            return [size_of(reader, item, depth) for item in items]
        case MemberExpr(name="shape", expr=array):
            return _shape(reader, array)
        case IndexExpr(base=base, index=IntExpr() | UnaryExpr(op="-", expr=IntExpr()) as index):
            return _part(dims_of(reader, base, depth), _number(index))
        case CallExpr(callee=RefExpr(fullname="builtins.len"), args=[array]):
            return _shape(reader, array)[:1] or [None]
        case OpExpr(op=op, left=left, right=right) if op in FORMULAS:
            return [_computed(op, size_of(reader, left, depth), size_of(reader, right, depth))]
        case NameExpr() if depth < FARTHEST:
            return _of_name(reader, expression, depth + 1)
    return [None]


def size_of(reader: Reader, expression: Expression, depth: int = 0) -> Dim:
    """The size that an expression is, which is no tuple."""
    dims = dims_of(reader, expression, depth)
    return dims[0] if len(dims) == 1 else None


def _computed(op: str, left: Dim, right: Dim) -> Dim:
    """The size that an operator gives of two."""
    if left is None or right is None or (op in ("//", "%") and right == 0):
        return None
    formula, compute = FORMULAS[op]
    if isinstance(left, int) and isinstance(right, int):
        number = int(compute(left, right))
        return number if number >= 0 else None
    return formula.format(left, right)


def _shape(reader: Reader, expression: Expression) -> list[Dim]:
    array = reader.array_of(type_of(reader.api, expression))
    return [None] if array is None or array.shape is None else [*array.shape]


def _part(dims: list[Dim], position: int) -> list[Dim]:
    return [dims[position]] if -len(dims) <= position < len(dims) else [None]


def _number(index: Expression) -> int:
    if isinstance(index, UnaryExpr):
        return -_number(index.expr)
    assert isinstance(index, IntExpr)
    return index.value


def _of_name(reader: Reader, name: NameExpr, depth: int) -> list[Dim]:
    """What a variable was given, if it was given one value only: ``b, n = x.shape``."""
    binding = reader.binding(name)
    if binding is None:
        return [None]
    target, value = binding
    dims = dims_of(reader, value, depth)
    if not isinstance(target, TupleExpr):
        return dims
    names = [item.node if isinstance(item, NameExpr) else None for item in target.items]
    return _part(dims, names.index(name.node)) if len(names) == len(dims) and name.node in names else [None]
