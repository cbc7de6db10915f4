"""The functions that a program calls, and what is open in the types that they declare."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mypy.expandtype import expand_type
from mypy.nodes import (
    CallExpr,
    Decorator,
    FuncBase,
    FuncDef,
    MemberExpr,
    MypyFile,
    NameExpr,
    OverloadedFuncDef,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.type_visitor import TypeQuery
from mypy.types import (
    AnyType,
    CallableType,
    FunctionLike,
    Instance,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarType,
    get_proper_type,
)

from jaxtyping_core.programs.import_roots import INSTALLED
from jaxtyping_core_mypy.convert.abstract import is_abstract_dtype


class _HasAny(TypeQuery[bool]):
    def strategy(self, items: list[bool]) -> bool:
        return any(items)

    def visit_any(self, t: AnyType) -> bool:
        return True

    def visit_type_var(self, t: TypeVarType) -> bool:
        return False  # a call says what it is

    def visit_tuple_type(self, t: TupleType) -> bool:
        return self.query_types(t.items)  # its fallback is often a tuple of anything


class _HasAbstract(_HasAny):
    def visit_any(self, t: AnyType) -> bool:
        return False

    def visit_instance(self, t: Instance) -> bool:
        return is_abstract_dtype(t.type) or self.query_types(t.args)


def has_any(typ: Type) -> bool:
    """Whether something is open in a type."""
    return typ.accept(_HasAny())


def has_abstract(typ: Type) -> bool:
    """Whether a type says of a dtype only of which kind it is, as `floating` does."""
    return typ.accept(_HasAbstract())


def gives_back_type(node: SymbolNode | None, modules: Mapping[str, MypyFile]) -> bool:
    """Whether a function of an installed package declares a type variable as its result.

    It stands for a class of arrays, and says nothing of the shape: ``def rearrange(tensor: Tensor, pattern: str) -> Tensor``.
    """
    function = node.func if isinstance(node, Decorator) else node
    if not isinstance(function, (FuncDef, OverloadedFuncDef)):
        return False
    tree = modules.get(function.fullname.rpartition(".")[0])
    if tree is None or not any(part in INSTALLED for part in Path(tree.path).parts):
        return False
    declared = get_proper_type(function.type)
    items = declared.items if isinstance(declared, FunctionLike) else []
    return any(isinstance(get_proper_type(item.ret_type), TypeVarType) for item in items)


def without_type_variable(signature: CallableType) -> CallableType:
    """The signature of such a function, where arrays of any shape fit and what it returns is open."""
    is_open = isinstance(get_proper_type(signature.ret_type), TypeVarType)
    return without_variables(signature) if is_open else signature


def without_variables(signature: CallableType) -> CallableType:
    """A signature that takes and gives anything where it has type variables."""
    solved = {variable.id: AnyType(TypeOfAny.special_form) for variable in signature.variables}
    return expand_type(signature, solved).copy_modified(variables=[])


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
