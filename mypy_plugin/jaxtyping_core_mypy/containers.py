"""Precise arrays in variables that live longer than one expression.

mypy fixes the type of an attribute at its first assignment and of a container at its display. With exact
shapes that would refuse ``self.h = self.h @ w`` and ``xs.append(y)``. Attributes whose type was inferred are
therefore widened to any dtype and shape, for assignments and for reads (mypy still narrows to the precise
type right after an assignment), and so are containers when something is put into them. What comes out of a
container of several shapes has unknown sizes where they differ.
"""

from __future__ import annotations

from mypy.nodes import (
    CallExpr,
    Expression,
    IndexExpr,
    MemberExpr,
    NameExpr,
    OperatorAssignmentStmt,
    Var,
)

from jaxtyping_core_mypy.convert import Type, class_of, is_wide, reopen, widen
from jaxtyping_core_mypy.site import Site

MUTATORS = {
    "builtins.list": ("append", "insert", "extend", "__setitem__", "__iadd__"),
    "builtins.dict": ("__setitem__", "update", "setdefault", "__ior__"),
    "builtins.set": ("add", "update"),
    "collections.deque": ("append", "appendleft", "extend", "extendleft", "insert", "__setitem__"),
    "typing.MutableSequence": ("append", "insert", "extend", "__setitem__", "__iadd__"),
    "typing.MutableMapping": ("__setitem__", "update", "setdefault"),
    "typing.MutableSet": ("add",),
}
READERS = {
    "builtins.list": ("__getitem__", "pop"),
    "builtins.dict": ("__getitem__", "get", "pop"),
    "collections.deque": ("__getitem__", "pop", "popleft"),
    "typing.Sequence": ("__getitem__",),
    "typing.Mapping": ("__getitem__", "get"),
    "typing.Iterator": ("__next__",),
}


def _full_names(table: dict[str, tuple[str, ...]]) -> frozenset[str]:
    return frozenset(f"{cls}.{method}" for cls, methods in table.items() for method in methods)


MUTATOR_METHODS = _full_names(MUTATORS)
READER_METHODS = _full_names(READERS)


def read(site: Site) -> Type:
    """The hook of a method that takes something out of a container."""
    return reopen(site.default)


def attribute(site: Site) -> Type:
    """The hook of every attribute of the user's classes."""
    if is_wide(site.default):
        return site.default
    info = class_of(site.ctx.type)
    name = site.ctx.context.name if isinstance(site.ctx.context, MemberExpr) else None
    symbol = info.get(name) if info is not None and name else None
    if symbol is not None and isinstance(symbol.node, Var) and symbol.node.is_inferred:
        return widen(site.default)
    return site.default


def mutate(site: Site) -> Type:
    """The hook of the signature of a method that puts something into a container."""
    wide = widen(site.ctx.type)
    receiver = _receiver(site.ctx.context)
    if wide == site.ctx.type or not isinstance(receiver, (NameExpr, MemberExpr)):
        return site.default
    if not isinstance(receiver.node, Var) or not receiver.node.is_inferred:
        return site.default
    receiver.node.type = wide
    site.api.binder.put(receiver, wide)
    return widen(site.default)


def _receiver(context: object) -> Expression | None:
    """The container expression of ``xs.append(y)``, ``xs[0] = y`` and ``xs += ys``."""
    match context:
        case CallExpr(callee=MemberExpr() as callee):
            return callee.expr
        case IndexExpr():
            return context.base
        case OperatorAssignmentStmt():
            return context.lvalue
        case NameExpr() | MemberExpr():
            return context
    return None
