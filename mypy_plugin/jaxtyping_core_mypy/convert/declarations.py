"""What functions declare of their arrays."""

from __future__ import annotations

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
from mypy.types import CallableType, Instance, get_proper_type


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
