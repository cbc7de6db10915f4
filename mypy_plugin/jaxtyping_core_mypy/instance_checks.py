"""``isinstance(x, Float32[B, D])``: the annotations of arrays answer it, though mypy says that no annotation does."""

from __future__ import annotations

import re
from typing import Any

from mypy.nodes import CallExpr, Expression, IndexExpr, OpExpr, RefExpr, TupleExpr, TypeAlias
from mypy.plugin import FunctionContext
from mypy.types import Instance, TupleType, Type, TypeType, UnionType

from jaxtyping_core_mypy.convert.narrowing import checked_array, narrowed
from jaxtyping_core_mypy.retraction import take_back

#: What mypy says of them; a type variable, which is any size here, need not be one of the function's.
WRONG = re.compile(
    r'Parameterized generics cannot be used with class or instance checks|Type variable ".*" is unbound|\(Hint: Use "'
)


def isinstance_callback(ctx: FunctionContext) -> Type:
    """The hook of `isinstance`: mypy narrows to the types that it finds at the classes asked for."""
    call, api = ctx.context, _api(ctx)
    if not isinstance(call, CallExpr) or len(call.args) != 2:
        return ctx.default_return_type
    declared = ctx.arg_types[0][0]
    leaves = _classes(call.args[1])
    arrays = {leaf: checked_array(leaf, api.options) for leaf in leaves}
    if not any(arrays.values()):
        return ctx.default_return_type
    for leaf, array in arrays.items():
        if array is not None:
            types, certain = narrowed(declared, array)
            api.store_type(leaf, _asked_for(api, types, certain))
    for whole in _tuples(call.args[1]):
        fallback = api.named_generic_type("builtins.tuple", [api.named_type("builtins.type")])
        api.store_type(whole, TupleType([api.lookup_type(item) for item in whole.items], fallback))
    if all(array is not None or not _is_generic(leaf) for leaf, array in arrays.items()):
        start, end = (call.line, call.column), (call.end_line, call.end_column)
        take_back(
            api.errors,
            lambda info: start <= (info.line, info.column) < end and WRONG.match(info.message) is not None,
        )
    return ctx.default_return_type


def _asked_for(api: Any, types: list[Instance], certain: bool) -> Type:
    """What mypy narrows to `types`; where that is certain, it takes them away where the check fails."""
    if certain:
        union: Type = api.named_generic_type("types.UnionType", types)
        return union
    return UnionType.make_union([TypeType(typ) for typ in types])


def _api(ctx: FunctionContext) -> Any:
    return ctx.api  # the checker's own methods


def _classes(expr: Expression) -> list[Expression]:
    """The classes in the second argument of `isinstance`."""
    match expr:
        case TupleExpr(items=items):
            return [leaf for item in items for leaf in _classes(item)]
        case OpExpr(op="|", left=left, right=right):
            return [*_classes(left), *_classes(right)]
    return [expr]


def _tuples(expr: Expression) -> list[TupleExpr]:
    """The tuples in it, the inner ones first."""
    if not isinstance(expr, TupleExpr):
        return []
    return [*(inner for item in expr.items for inner in _tuples(item)), expr]


def _is_generic(leaf: Expression) -> bool:
    """Whether mypy refuses it."""
    return isinstance(leaf, IndexExpr) or (isinstance(leaf, RefExpr) and isinstance(leaf.node, TypeAlias))
