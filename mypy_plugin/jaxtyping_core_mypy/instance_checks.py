"""``isinstance(x, Float32[B, D])`` and `is_array`: annotations of arrays answer them, though mypy says that none does.

So do jaxtyping's, ``isinstance(x, Float32[Array, "b 3"])``.
"""

from __future__ import annotations

from typing import Any

from mypy import errorcodes as codes
from mypy.errors import ErrorInfo
from mypy.nodes import CallExpr, Expression, IndexExpr, OpExpr, RefExpr, TupleExpr, TypeAlias, TypeVarExpr

from jaxtyping_core_mypy.convert import Type, is_array, union_items
from jaxtyping_core_mypy.convert.dim_strings import written_array
from jaxtyping_core_mypy.convert.narrowing import (
    asked_for,
    certain_of,
    checked_array,
    checking,
    narrowed,
    tuple_of_classes,
)
from jaxtyping_core_mypy.mypy_internals import take_back
from jaxtyping_core_mypy.site import Site
from jaxtyping_core_mypy.sizes import equate
from jaxtyping_core_mypy.trees import PARTS, nodes_inside


def callback(site: Site) -> Type:
    """The hook of `isinstance`: mypy narrows to the types that it finds at the classes asked for."""
    call, api = site.ctx.context, site.api
    if not isinstance(call, CallExpr) or len(call.args) != 2:
        return site.default
    declared = site.ctx.arg_types[0][0]
    leaves = _classes(call.args[1])
    texts = {leaf: written_array(leaf, api.tree.imports, site.engine.find_class) for leaf in leaves}
    arrays = {
        leaf: checked_array(leaf, api.options) if text is None else text.array for leaf, text in texts.items()
    }
    if not any(arrays.values()):
        return site.default
    for asked in filter(None, arrays.values()):
        _equate(site, declared, certain_of(asked), call)
    for leaf, array in arrays.items():
        if array is not None:
            types, certain = narrowed(declared, array)
            text = texts[leaf]
            api.store_type(leaf, asked_for(api, types, certain and (text is None or text.is_plain)))
    for whole in _tuples(call.args[1]):
        api.store_type(whole, tuple_of_classes(api, [api.lookup_type(item) for item in whole.items]))
    if all(array is not None or not _is_generic(leaf) for leaf, array in arrays.items()):
        _take_back(call, api)
    return site.default


def _equate(site: Site, declared: Type, checked: Type, call: CallExpr) -> None:
    """Leave the dims of an array open for which a check asks for numbers."""
    asked = site.reader.array_of(checked)
    members = (site.reader.array_of(each) for each in union_items(declared) or [declared] if is_array(each))
    for member in members:
        if member is None or asked is None or member.shape is None or asked.shape is None:
            continue
        if len(member.shape) == len(asked.shape):
            equate(site, zip(member.shape, asked.shape, strict=True), call)


def signature(site: Site) -> Type:
    """The signature hook of ``is_array(x, Float32[B, D])``, in which names of sizes are as free."""
    call, args = site.ctx.context, site.ctx.args
    array = checked_array(args[1][0], site.api.options) if [*map(len, args)] == [1, 1] else None
    if array is None or not isinstance(call, CallExpr):
        return site.default
    _take_back(call, site.api)
    return checking(site.ctx.default_signature, array)


def _take_back(call: CallExpr, api: Any) -> None:
    """Forget what mypy has said of the classes asked for, which are right, and of a call that asks for classes with parameters."""
    classes = call.args[1]
    start, end = (classes.line, classes.column), (classes.end_line or 0, classes.end_column or 0)
    variables = {
        (node.line, node.column)
        for node in nodes_inside(classes, PARTS)
        if isinstance(node, RefExpr) and isinstance(node.node, TypeVarExpr)
    }

    def is_wrong(info: ErrorInfo) -> bool:
        place = info.line, info.column
        if (
            info.code is codes.VALID_TYPE
        ):  # a type variable, which is any size here, need not be one of the function's
            return place in variables
        if info.code is codes.ARG_TYPE:
            return start <= place < end
        return info.code is codes.MISC and place == (call.line, call.column)

    take_back(api.errors, is_wrong)


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
