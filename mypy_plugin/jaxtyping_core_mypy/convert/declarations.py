"""What functions declare of their arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
    AnyType,
    CallableType,
    Instance,
    TupleType,
    Type,
    UnionType,
    get_proper_type,
)

from jaxtyping_core_mypy.convert.abstract import is_array


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


def declares_shapes(typ: Type | None) -> bool:
    """Whether a function says something of the array that it returns, and of the shape of one that it takes."""
    declared = get_proper_type(typ)
    if not isinstance(declared, CallableType):
        return False
    returned = _in_arrays(declared.ret_type)
    if all(isinstance(arg, AnyType) for args in returned for arg in args):
        return False
    taken = [args for typ in declared.arg_types for args in _in_arrays(typ)]
    # A dim has a name that a loop leaves open in the parameter.
    return bool(declared.variables) or any(
        len(args) == 2 and isinstance(args[1], TupleType) for args in taken
    )


def _in_arrays(typ: Type) -> Iterator[list[Type]]:
    """The parameters of each array in a type of a result or a parameter."""
    proper = get_proper_type(typ)
    if isinstance(proper, TupleType):
        for item in proper.items:
            yield from _in_arrays(item)
        return
    options = proper.items if isinstance(proper, UnionType) else [proper]
    for option in map(get_proper_type, options):
        if isinstance(option, Instance) and is_array(option):
            yield [get_proper_type(arg) for arg in option.args]
