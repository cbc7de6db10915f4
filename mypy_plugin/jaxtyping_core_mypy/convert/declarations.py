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
    TypeVarTupleType,
    TypeVarType,
    UnionType,
    UnpackType,
    get_proper_type,
)

from jaxtyping_core.domain.dims import Dim
from jaxtyping_core.dtypes import DTYPES
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import Symbols, is_array, read_dims, read_dtype_class
from jaxtyping_core_mypy.convert.equality import EqualDims
from jaxtyping_core_mypy.convert.expressions import type_of


class Given(NamedTuple):
    """What one argument gives to a type variable of the function: a dtype by its name, a size, or those of several axes."""

    variable: TypeVarType | TypeVarTupleType
    value: Dim | tuple[Dim, ...]
    argument: str
    formal: Type
    actual: Type


def declared(ctx: Any) -> CallableType | None:
    """The signature of what is called as declared, before mypy solved its type variables."""
    made = getattr(ctx, "type", None)
    node = _called(ctx)
    signature = get_proper_type(node.type) if isinstance(node, (FuncBase, Var)) and node.type else None
    if isinstance(made, Instance) and made.type.fullname in names.COMPILED:
        signature = _under_decorators(ctx)
    return signature if isinstance(signature, CallableType) else None


def _under_decorators(ctx: Any) -> ProperType | None:
    """The type of a compiled function or method that is called by its name: `jax.jit` keeps the parameters."""
    callee = ctx.context.callee if isinstance(ctx.context, CallExpr) else None
    node = callee.node if isinstance(callee, (NameExpr, MemberExpr)) else None
    if isinstance(callee, MemberExpr) and node is None:
        owner = get_proper_type(type_of(ctx.api, callee.expr))
        symbol = owner.type.get(callee.name) if isinstance(owner, Instance) else None
        node = symbol.node if symbol else None
    if not isinstance(node, Decorator) or len(node.decorators) != 1:
        return None
    return get_proper_type(node.func.type)


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


def dims_given(ctx: Any, signature: CallableType, equal: EqualDims | None = None) -> Iterator[Given]:
    """Each dim of each parameter that is a type variable of the function's own, with what a call gives it.

    `equal`: the dims of the caller that are open.
    """
    own = {variable.id for variable in signature.variables}
    if not own or not any(_shape_of(typ) is not None for typ in signature.arg_types):
        return
    symbols = Symbols(equal, ctx.context.line)
    for argument, formal, actual in _arguments(ctx, signature):
        shape, actual_shape = _shape_of(formal), _shape_of(actual)
        sizes = None if actual_shape is None else read_dims(actual_shape, symbols)
        if shape is not None and sizes is not None:
            for variable, size in _solved(shape, sizes):
                if variable.id in own:
                    yield Given(variable, size, argument, formal, actual)


def dtypes_given(ctx: Any, signature: CallableType) -> Iterator[Given]:
    """Each dtype of each parameter that is a type variable of the function's own, with the dtype that a call gives it; no weak one, which may become another."""
    own = {variable.id for variable in signature.variables}
    for argument, formal, actual in _arguments(ctx, signature) if own else ():
        declared_array, array = _array_of(formal), _array_of(actual)
        variable = get_proper_type(declared_array.args[0]) if declared_array else None
        dtype = read_dtype_class(array.args[0]) if array else None
        if isinstance(variable, TypeVarType) and variable.id in own and dtype in DTYPES:
            yield Given(variable, dtype, argument, formal, actual)


def _arguments(ctx: Any, signature: CallableType) -> Iterator[tuple[str, Type, Type]]:
    """The arguments of a call, each with how messages name it and with what is declared of it."""
    # A bound method's declared signature has `self`, its call does not.
    formals = list(zip(signature.arg_names, signature.arg_types, strict=True))[-len(ctx.arg_types) :]
    for (name, formal), actuals, kinds in zip(formals, ctx.arg_types, ctx.arg_kinds, strict=False):
        for actual in [a for a, kind in zip(actuals, kinds, strict=True) if not kind.is_star()]:
            yield (f'"{name}"' if name else "one argument"), formal, actual


def _solved(
    shape: TupleType, sizes: tuple[Dim, ...]
) -> Iterator[tuple[TypeVarType | TypeVarTupleType, Dim | tuple[Dim, ...]]]:
    """The type variables in a shape, with what stands in their places in an array of these sizes."""
    items = list(map(get_proper_type, shape.items))
    several = next((place for place, item in enumerate(items) if isinstance(item, UnpackType)), None)
    if several is not None and len(sizes) >= len(items) - 1:
        end = len(sizes) - (len(items) - 1 - several)
        unpacked = items[several].type  # type: ignore[attr-defined]  # an UnpackType
        if isinstance(unpacked, TypeVarTupleType):
            yield unpacked, sizes[several:end]
        items[several : several + 1] = [unpacked] * (end - several)
    if len(items) == len(sizes):
        for item, size in zip(items, sizes, strict=True):
            if isinstance(item, TypeVarType):
                yield item, size


def _array_of(typ: Type) -> Instance | None:
    """An array type, or that of the array in an optional one."""
    proper: ProperType = get_proper_type(typ)
    if isinstance(proper, UnionType):
        arrays = [item for item in proper.items if is_array(item)]
        proper = get_proper_type(arrays[0]) if len(arrays) == 1 else proper
    is_whole = isinstance(proper, Instance) and is_array(proper) and len(proper.args) == 2
    return proper if isinstance(proper, Instance) and is_whole else None


def _shape_of(typ: Type) -> TupleType | None:
    array = _array_of(typ)
    shape = None if array is None else get_proper_type(array.args[1])
    return shape if isinstance(shape, TupleType) else None
