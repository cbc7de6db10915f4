"""The size that a function declares by arithmetic, as ``-> Float[Array, "n+m"]``. The evaluation of a call computes it."""

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

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert import declared


def with_open_sizes(ctx: Any, result: Type) -> Type:
    """The type of a call's result without the arithmetic of the function that is called, whose dims mean nothing elsewhere."""
    signature = declared(ctx)
    return result if signature is None else _opened(signature.ret_type, result)


def _opened(written: Type, result: Type) -> Type:
    """`result` with Any where `written`, from which mypy made it, has expressions."""
    old, new = get_proper_type(written), get_proper_type(result)
    if not _has_expressions(old):
        return result
    if isinstance(old, TupleType) and isinstance(new, TupleType) and len(old.items) == len(new.items):
        pairs = zip(old.items, new.items, strict=True)
        return new.copy_modified(items=[_opened(a, b) for a, b in pairs])
    if isinstance(old, Instance) and isinstance(new, Instance) and len(old.args) == len(new.args):
        pairs = zip(old.args, new.args, strict=True)
        return new.copy_modified(args=[_opened(a, b) for a, b in pairs])
    if isinstance(old, UnionType) and isinstance(new, UnionType) and len(old.items) == len(new.items):
        pairs = zip(old.items, new.items, strict=True)
        return UnionType([_opened(a, b) for a, b in pairs])
    return AnyType(TypeOfAny.special_form)


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
