"""Sizes: the attribute `shape` of arrays, and what is written with it, as ``n`` after ``n, d = x.shape``."""

from __future__ import annotations

from mypy.nodes import (
    CallExpr,
    Expression,
    FloatExpr,
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
from jaxtyping_core.domain.values import Scalar
from jaxtyping_core_mypy.convert import Type, is_any, type_of
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.unpacking import targets_beside_star

#: How far a name is followed to what it was given.
FARTHEST = 8


def shape(site: Site) -> Type:
    """The hook of the array attribute `shape`."""
    array = site.reader.array_of(site.ctx.type)
    if array is None or not array.shape:  # to mypy, a loop over the empty tuple is one over nothing
        return site.default
    if targets_beside_star(site.facts, site.ctx.context) == len(
        array.shape
    ):  # ``*batch, d = x.shape`` of no batch
        return site.default
    return site.writer.shape(array.shape)


def power(site: Site) -> Type:
    """The hook of ``d ** -0.5``, which may be complex to mypy: of a size, or of a number that is written, it is not."""
    whole = site.ctx.context
    if not is_any(site.default) or not isinstance(whole, OpExpr):
        return site.default
    is_positive = isinstance(whole.left, FloatExpr) or _size(site, whole.left) is not None
    return site.writer.value(Scalar("float"), site.default) if is_positive else site.default


def dims_of(site: Site, expression: Expression, depth: int = 0) -> list[Dim]:
    """The sizes that an expression is, as it is written; None for what is none."""
    match expression:
        case IntExpr(value=size):
            return [size]
        case TupleExpr(items=items):
            return [_size(site, item, depth) for item in items]
        case MemberExpr(name="shape", expr=array):
            return _shape(site, array)
        case IndexExpr(base=base, index=IntExpr() | UnaryExpr(op="-", expr=IntExpr()) as index):
            return _part(dims_of(site, base, depth), _number(index))
        case CallExpr(callee=RefExpr(fullname="builtins.len"), args=[array]):
            return _shape(site, array)[:1] or [None]
        case OpExpr(op="+" | "*" | "//" | "%", left=left, right=right):  # of which the names alone count
            sizes = [_size(site, left, depth), _size(site, right, depth)]
            return [None if None in sizes else f"{sizes[0]} * {sizes[1]}"]
        case NameExpr() if depth < FARTHEST:
            return _of_name(site, expression, depth + 1)
    return [None]


def _size(site: Site, expression: Expression, depth: int = 0) -> Dim:
    """The size that an expression is, which is no tuple."""
    dims = dims_of(site, expression, depth)
    return dims[0] if len(dims) == 1 else None


def _shape(site: Site, expression: Expression) -> list[Dim]:
    array = site.reader.array_of(type_of(site.api, expression))
    return [None] if array is None or array.shape is None else [*array.shape]


def _part(dims: list[Dim], position: int) -> list[Dim]:
    return [dims[position]] if -len(dims) <= position < len(dims) else [None]


def _number(index: Expression) -> int:
    if isinstance(index, UnaryExpr):
        return -_number(index.expr)
    assert isinstance(index, IntExpr)
    return index.value


def _of_name(site: Site, name: NameExpr, depth: int) -> list[Dim]:
    """What a variable was given, if it was given one value only: ``b, n = x.shape``."""
    binding = site.facts.only_value(name)
    if binding is None:
        return [None]
    target, value = binding
    dims = dims_of(site, value, depth)
    if not isinstance(target, TupleExpr):
        return dims
    names = [item.node if isinstance(item, NameExpr) else None for item in target.items]
    return _part(dims, names.index(name.node)) if len(names) == len(dims) and name.node in names else [None]
