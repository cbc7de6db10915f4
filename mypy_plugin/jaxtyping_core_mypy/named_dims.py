"""Named dims in calls of the user's own functions: a dim that two arguments give must be the same size.

The shape parameter is covariant under the plugin, so that mypy joins shapes where it must; it then also
joins the sizes that two arguments give to one type variable, and no longer reports that they differ. This
hook does, by the dim's name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from mypy.nodes import CallExpr, Decorator, FuncBase, MemberExpr, NameExpr, SymbolNode, Var
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

from jaxtyping_core_mypy import errors, reports
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
            reports.fail(ctx, conflict, errors.ARRAY_SHAPE)
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
    firsts: dict[TypeVarId, Binding] = {}
    for dim, binding in _bindings(ctx, signature):
        if dim.id not in own or binding.size is None:
            continue
        first = firsts.setdefault(dim.id, binding)
        if _differ(first.size, binding.size):
            return errors.DIM_CONFLICT.format(
                dim=dim.name,
                function=(signature.name or "the function").partition(" of ")[0],
                first=first.size,
                first_argument=first.argument,
                second=binding.size,
                second_argument=binding.argument,
            )
    return None


def _bindings(
    ctx: FunctionContext | MethodContext, signature: CallableType
) -> Iterator[tuple[TypeVarType, Binding]]:
    """Each dim of each parameter that is a type variable, with the size that an argument gives to it."""
    symbols = Symbols()
    # A bound method's declared signature has `self`, its call does not.
    formals = list(zip(signature.arg_names, signature.arg_types, strict=True))[-len(ctx.arg_types) :]
    for (name, formal), actuals, kinds in zip(formals, ctx.arg_types, ctx.arg_kinds, strict=False):
        shape = _shape_of(formal)
        given = [_shape_of(a) for a, kind in zip(actuals, kinds, strict=True) if not kind.is_star()]
        for actual in given:
            sizes = None if actual is None else read_dims(actual, symbols)
            if shape is None or sizes is None or len(sizes) != len(shape.items):
                continue
            for item, size in zip(map(get_proper_type, shape.items), sizes, strict=True):
                if isinstance(item, TypeVarType):
                    yield item, Binding(size, f'"{name}"' if name else "one argument")


def _differ(a: Dim, b: Dim) -> bool:
    """Whether two known sizes are certainly different: symbolic arithmetic may be equal in disguise."""
    return a != b and all(
        isinstance(dim, int) or (isinstance(dim, str) and dim.isidentifier()) for dim in (a, b)
    )
