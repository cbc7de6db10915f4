"""Sizes that a function declares by arithmetic: ``-> Float[Array, "n+m"]``, where a call gives `n` and `m`."""

from __future__ import annotations

from typing import Any

from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    TupleType,
    Type,
    TypeAliasType,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from jaxtyping_core._annotations.arithmetic import NotArithmetic, substituted, symbols_of
from jaxtyping_core.domain.dims import Dim
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert import declared, dims_given
from jaxtyping_core_mypy.convert.writer import Writer


def with_sizes(ctx: Any, result: Type, writer: Writer) -> Type:
    """The type of a call's result with the sizes that the function's arithmetic gives."""
    signature = declared(ctx)
    if signature is None or not _has_expressions(signature.ret_type):
        return result
    return _replaced(signature.ret_type, result, _sizes(ctx, signature), writer)


def _sizes(ctx: Any, signature: CallableType) -> dict[str, Dim]:
    sizes: dict[str, Dim] = {}
    for solved in dims_given(ctx, signature):
        if not isinstance(solved.value, tuple) and sizes.get(solved.variable.name) is None:
            sizes[solved.variable.name] = solved.value
    return sizes


def _replaced(written: Type, result: Type, sizes: dict[str, Dim], writer: Writer) -> Type:
    """`result` with the sizes where `written`, from which mypy made it, has expressions."""
    old, new = get_proper_type(written), get_proper_type(result)
    if not _has_expressions(old):
        return result
    if isinstance(old, LiteralType):
        return writer.dim(_value(str(old.value), sizes))
    if isinstance(old, TupleType) and isinstance(new, TupleType) and len(old.items) == len(new.items):
        pairs = zip(old.items, new.items, strict=True)
        return new.copy_modified(items=[_replaced(a, b, sizes, writer) for a, b in pairs])
    if isinstance(old, Instance) and isinstance(new, Instance) and len(old.args) == len(new.args):
        pairs = zip(old.args, new.args, strict=True)
        return new.copy_modified(args=[_replaced(a, b, sizes, writer) for a, b in pairs])
    if isinstance(old, UnionType) and isinstance(new, UnionType) and len(old.items) == len(new.items):
        pairs = zip(old.items, new.items, strict=True)
        return UnionType([_replaced(a, b, sizes, writer) for a, b in pairs])
    return AnyType(TypeOfAny.special_form)


def _value(expression: str, sizes: dict[str, Dim]) -> Dim:
    known = {name: size for name in symbols_of(expression) if (size := sizes.get(name)) is not None}
    if len(known) < len(symbols_of(expression)):
        return None
    try:
        text = substituted(expression, known)
    except (NotArithmetic, SyntaxError):  # of what is no size
        return None
    if text.lstrip("-").isdigit():
        return int(text) if int(text) >= 0 else None
    return text


def _has_expressions(typ: Type) -> bool:
    if isinstance(typ, TypeAliasType) and typ.is_recursive:  # of containers within containers
        return False
    proper = get_proper_type(typ)
    if isinstance(proper, LiteralType):
        return isinstance(proper.value, str)
    if isinstance(proper, Instance):
        if proper.type.fullname in names.ARRAYS and len(proper.args) == 2:
            shape = get_proper_type(proper.args[1])
            return isinstance(shape, TupleType) and any(map(_has_expressions, shape.items))
        return any(map(_has_expressions, proper.args)) if proper.args else False
    if isinstance(proper, (TupleType, UnionType)):
        return any(map(_has_expressions, proper.items))
    return False
