"""What a function declares of the dims of its arrays, and what a call gives for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from mypy.nodes import (
    CallExpr,
    Decorator,
    FuncBase,
    MemberExpr,
    NameExpr,
    OverloadedFuncDef,
    SymbolNode,
    TypeInfo,
    Var,
)
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

from jaxtyping_core.evaluation.values import Dim
from jaxtyping_core_mypy.convert.abstract import Symbols, is_array, read_dims


class Given(NamedTuple):
    """The size that one argument gives to a dim that is a type variable of the function."""

    variable: TypeVarId
    dim: str
    size: Dim
    argument: str


def declared(ctx: Any) -> CallableType | None:
    """The signature of what is called as declared, before mypy solved its type variables."""
    node = _called(ctx)
    signature = get_proper_type(node.type) if isinstance(node, (FuncBase, Var)) and node.type else None
    return signature if isinstance(signature, CallableType) else None


def is_overloaded(ctx: Any) -> bool:
    """Whether what is called is a class, or has overloads: with Any for an argument, mypy asks about each that fits."""
    node = _called(ctx)
    return isinstance(node, (TypeInfo, OverloadedFuncDef))


def _called(ctx: Any) -> SymbolNode | None:
    """What is called, by its name or as a method."""
    if not isinstance(ctx.context, CallExpr):
        return None
    callee = ctx.context.callee
    owner = getattr(ctx, "type", None)
    node: SymbolNode | None = None
    if isinstance(callee, MemberExpr) and isinstance(owner, Instance):
        symbol = owner.type.get(callee.name)
        node = symbol.node if symbol else None
    elif isinstance(callee, (NameExpr, MemberExpr)):
        node = callee.node
    return node.var if isinstance(node, Decorator) else node


def dims_given(ctx: Any, signature: CallableType) -> Iterator[Given]:
    """Each dim of each parameter that is a type variable of the function's own, with the size that a call gives it."""
    own = {variable.id for variable in signature.variables}
    if not own or not any(_shape_of(typ) is not None for typ in signature.arg_types):
        return
    symbols = Symbols()
    # A bound method's declared signature has `self`, its call does not.
    formals = list(zip(signature.arg_names, signature.arg_types, strict=True))[-len(ctx.arg_types) :]
    for (name, formal), actuals, kinds in zip(formals, ctx.arg_types, ctx.arg_kinds, strict=False):
        shape = _shape_of(formal)
        for actual in [_shape_of(a) for a, kind in zip(actuals, kinds, strict=True) if not kind.is_star()]:
            sizes = None if actual is None else read_dims(actual, symbols)
            if shape is None or sizes is None or len(sizes) != len(shape.items):
                continue
            for item, size in zip(map(get_proper_type, shape.items), sizes, strict=True):
                if isinstance(item, TypeVarType) and item.id in own:
                    yield Given(item.id, item.name, size, f'"{name}"' if name else "one argument")


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
