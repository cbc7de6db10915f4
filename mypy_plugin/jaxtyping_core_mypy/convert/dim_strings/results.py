"""Sizes that a function declares by arithmetic: ``-> Float[Array, "n+m"]``, where a call gives `n` and `m`."""

from __future__ import annotations

from typing import Any

from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    TupleType,
    Type,
    TypeAliasType,
    TypeOfAny,
    UnionType,
    get_proper_type,
)

from jaxtyping_core.contracts.binding import Environment
from jaxtyping_core.contracts.checking import check
from jaxtyping_core.domain.dims import Dim
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert import arrays_given, declared
from jaxtyping_core_mypy.convert.writer import Writer


def with_sizes(ctx: Any, result: Type, writer: Writer) -> Type:
    """The type of a call's result with the sizes that the function's arithmetic gives."""
    signature = declared(ctx)
    if signature is None or not _has_expressions(signature.ret_type):
        return result
    dims = Environment()
    for passed in arrays_given(ctx, signature):
        check(passed.form, passed.array, dims)
    return _replaced(signature.ret_type, result, dims, writer)


def _replaced(written: Type, result: Type, dims: Environment, writer: Writer) -> Type:
    """`result` with the sizes where `written`, from which mypy made it, has expressions."""
    old, new = get_proper_type(written), get_proper_type(result)
    if not _has_expressions(old):
        return result
    if isinstance(old, LiteralType):
        return writer.dim(_size(str(old.value), dims))
    if isinstance(old, TupleType) and isinstance(new, TupleType) and len(old.items) == len(new.items):
        pairs = zip(old.items, new.items, strict=True)
        return new.copy_modified(items=[_replaced(a, b, dims, writer) for a, b in pairs])
    if isinstance(old, Instance) and isinstance(new, Instance) and len(old.args) == len(new.args):
        pairs = zip(old.args, new.args, strict=True)
        return new.copy_modified(args=[_replaced(a, b, dims, writer) for a, b in pairs])
    if isinstance(old, UnionType) and isinstance(new, UnionType) and len(old.items) == len(new.items):
        pairs = zip(old.items, new.items, strict=True)
        return UnionType([_replaced(a, b, dims, writer) for a, b in pairs])
    return AnyType(TypeOfAny.special_form)


def _size(expression: str, dims: Environment) -> Dim:
    size: Dim = dims.value(expression)
    return None if isinstance(size, int) and size < 0 else size


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
