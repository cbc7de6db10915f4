"""Named dims in calls of the user's own functions: a dim that two arguments give must be the same size.

The shape parameter is covariant under the plugin, so that mypy joins shapes where it must; it then also
joins the sizes that two arguments give to one type variable, and no longer reports that they differ. This
hook does, by the dim's name.
"""

from __future__ import annotations

from typing import NamedTuple

from mypy.nodes import ARG_POS, CallExpr, Decorator, FuncBase, MemberExpr, NameExpr, SymbolNode, Var
from mypy.plugin import FunctionContext, MethodContext
from mypy.types import (
    CallableType,
    Instance,
    ProperType,
    TupleType,
    Type,
    TypeVarId,
    TypeVarType,
    UnionType,
    get_proper_type,
)

from jaxtyping_core_mypy import errors
from jaxtyping_core_mypy.convert import Dim, Symbols, is_array, read_dims


class Binding(NamedTuple):
    """The size that one argument gives to a dim."""

    size: Dim
    argument: str


def check_call(ctx: FunctionContext | MethodContext) -> Type:
    """Report a dim to which two arguments give different sizes; the call's type is left as it is."""
    signature = _declared(ctx)
    if signature is not None and _mentions_dims(signature):
        conflict = _find_conflict(ctx, signature)
        if conflict is not None:
            ctx.api.fail(conflict, ctx.context, code=errors.ARRAY_SHAPE)
    return ctx.default_return_type


def _declared(ctx: FunctionContext | MethodContext) -> CallableType | None:
    """The signature as declared, before mypy solved its type variables."""
    if not isinstance(ctx.context, CallExpr):
        return None
    callee = ctx.context.callee
    node: SymbolNode | None = None
    if isinstance(ctx, MethodContext) and isinstance(callee, MemberExpr) and isinstance(ctx.type, Instance):
        symbol = ctx.type.type.get(callee.name)
        node = symbol.node if symbol else None
    elif isinstance(callee, (NameExpr, MemberExpr)):
        node = callee.node
    if isinstance(node, Decorator):
        node = node.var
    declared = get_proper_type(node.type) if isinstance(node, (FuncBase, Var)) and node.type else None
    return declared if isinstance(declared, CallableType) else None


def _mentions_dims(signature: CallableType) -> bool:
    return bool(signature.variables) and any(_shape_of(t) is not None for t in signature.arg_types)


def _shape_of(typ: Type) -> TupleType | None:
    """The shape of an array type, or of the array in an optional one."""
    proper: ProperType = get_proper_type(typ)
    if isinstance(proper, UnionType):
        arrays = [item for item in proper.items if is_array(item)]
        proper = get_proper_type(arrays[0]) if len(arrays) == 1 else proper
    if not is_array(proper) or not isinstance(proper, Instance) or len(proper.args) != 2:
        return None
    shape = get_proper_type(proper.args[1])
    return shape if isinstance(shape, TupleType) else None


def _find_conflict(ctx: FunctionContext | MethodContext, signature: CallableType) -> str | None:
    own = {variable.id for variable in signature.variables}
    symbols = Symbols()
    bound: dict[TypeVarId, Binding] = {}
    # A bound method's declared signature has `self`, its call does not.
    formals = list(zip(signature.arg_names, signature.arg_types, strict=True))[-len(ctx.arg_types) :]
    for (formal_name, formal), actuals, kinds in zip(formals, ctx.arg_types, ctx.arg_kinds, strict=False):
        formal_shape = _shape_of(formal)
        for actual, kind in zip(actuals, kinds, strict=True):
            actual_shape = _shape_of(actual)
            if formal_shape is None or actual_shape is None or (kind != ARG_POS and not kind.is_named()):
                continue
            sizes = read_dims(actual_shape, symbols)
            if sizes is None or len(sizes) != len(formal_shape.items):
                continue
            argument = f'"{formal_name}"' if formal_name else "one argument"
            for item, size in zip(formal_shape.items, sizes, strict=True):
                dim = get_proper_type(item)
                if not isinstance(dim, TypeVarType) or dim.id not in own or size is None:
                    continue
                first = bound.setdefault(dim.id, Binding(size, argument))
                if _differ(first.size, size):
                    return errors.DIM_CONFLICT.format(
                        dim=dim.name,
                        function=(signature.name or "the function").partition(" of ")[0],
                        first=first.size,
                        first_argument=first.argument,
                        second=size,
                        second_argument=argument,
                    )
    return None


def _differ(a: Dim, b: Dim) -> bool:
    """Whether two known sizes are certainly different: symbolic arithmetic may be equal in disguise."""
    return a != b and all(
        isinstance(dim, int) or (isinstance(dim, str) and dim.isidentifier()) for dim in (a, b)
    )
