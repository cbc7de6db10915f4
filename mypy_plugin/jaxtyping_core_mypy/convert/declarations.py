"""What a function declares of its arrays, and what a call gives for them."""

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
    AnyType,
    CallableType,
    Instance,
    ProperType,
    TupleType,
    Type,
    UnionType,
    get_proper_type,
)

from jaxtyping_core.contracts.forms import ArrayForm
from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core.dtypes import DTYPES
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import Symbols, is_array, read_dims, read_dtype_class
from jaxtyping_core_mypy.convert.equality import EqualDims
from jaxtyping_core_mypy.convert.expressions import type_of
from jaxtyping_core_mypy.convert.forms import variables_form


class Given(NamedTuple):
    """An array that a call gives, the parameter that it is for, and what that says of it by the function's type variables."""

    argument: str
    formal: Type
    actual: Type
    form: ArrayForm
    array: AbstractArray


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


def arrays_given(ctx: Any, signature: CallableType, equal: EqualDims | None = None) -> Iterator[Given]:
    """The arrays that a call gives, where parameters name dims or dtypes by type variables of the function's own.

    `equal`: the dims of the caller that are open.
    """
    own = {variable.id for variable in signature.variables}
    symbols = Symbols(equal, ctx.context.line)
    for argument, formal, actual in _arguments(ctx, signature) if own else ():
        declared_array, array = _array_of(formal), _array_of(actual)
        if declared_array is not None and array is not None:
            dtype = read_dtype_class(array.args[0])
            # A weak dtype may become another one.
            known = AbstractArray.of(
                dtype if dtype in DTYPES else None, False, read_dims(array.args[1], symbols)
            )
            yield Given(argument, formal, actual, variables_form(declared_array, own), known)


def _arguments(ctx: Any, signature: CallableType) -> Iterator[tuple[str, Type, Type]]:
    """The arguments of a call, each with how messages name it and with what is declared of it."""
    # A bound method's declared signature has `self`, its call does not.
    formals = list(zip(signature.arg_names, signature.arg_types, strict=True))[-len(ctx.arg_types) :]
    for (name, formal), actuals, kinds in zip(formals, ctx.arg_types, ctx.arg_kinds, strict=False):
        for actual in [a for a, kind in zip(actuals, kinds, strict=True) if not kind.is_star()]:
            yield (f'"{name}"' if name else "one argument"), formal, actual


def _array_of(typ: Type) -> Instance | None:
    """An array type, or that of the array in an optional one."""
    proper: ProperType = get_proper_type(typ)
    if isinstance(proper, UnionType):
        arrays = [item for item in proper.items if is_array(item)]
        proper = get_proper_type(arrays[0]) if len(arrays) == 1 else proper
    is_whole = isinstance(proper, Instance) and is_array(proper) and len(proper.args) == 2
    return proper if isinstance(proper, Instance) and is_whole else None


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
