"""What an array is after `isinstance`: mypy's own answer has no dtype and no shape, since classes have none at run time."""

from __future__ import annotations

from typing import Any

from mypy.nodes import Expression, IndexExpr, RefExpr, TypeAlias, TypeApplication, TypeInfo
from mypy.options import Options
from mypy.typeanal import instantiate_type_alias
from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    TypeType,
    UnionType,
    UnpackType,
    get_proper_type,
)

from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import is_array

UNKNOWN = AnyType(TypeOfAny.special_form)


def checked_array(expr: Expression, options: Options) -> Instance | None:
    """The array that an expression in the place of a class stands for: ``Float32[B, D]``, ``Float32``."""
    application = expr.analyzed if isinstance(expr, IndexExpr) else None
    base, args = (
        (application.expr, application.types) if isinstance(application, TypeApplication) else (expr, [])
    )
    node = base.node if isinstance(base, RefExpr) else None
    typ: Type | None = None
    if isinstance(node, TypeAlias):
        typ, _ = instantiate_type_alias(node, args, _ignore, _ignore, node.no_args, expr, options)
    elif isinstance(node, TypeInfo) and node.fullname in names.ARRAYS:
        typ = Instance(node, [*args, UNKNOWN, UNKNOWN][:2])
    proper = get_proper_type(typ)
    return proper if isinstance(proper, Instance) and is_array(proper) and len(proper.args) == 2 else None


def _ignore(*_args: Any, **_options: Any) -> None:
    """Of a wrong number of parameters mypy has spoken."""


def narrowed(declared: Type, checked: Instance) -> Type:
    """The class whose instances are those of `declared` that are `checked`, for mypy to narrow to.

    `isinstance` asks for dtypes and sizes. A type variable is any size to it, so that it adds nothing.
    """
    dtype, shape = map(get_proper_type, checked.args)
    asked = checked.copy_modified(args=[dtype, _sizes(shape)])
    proper = get_proper_type(declared)
    members = proper.items if isinstance(proper, UnionType) else [proper]
    fitting = [both for member in members if (both := _meet(get_proper_type(member), asked)) is not None]
    return UnionType.make_union([TypeType(both) for both in fitting or [asked]])


def _sizes(shape: ProperType) -> Type:
    if not isinstance(shape, TupleType):
        return UNKNOWN
    dims = [
        dim if isinstance(get_proper_type(dim), (LiteralType, UnpackType)) else UNKNOWN for dim in shape.items
    ]
    if any(isinstance(dim, UnpackType) for dim in dims):
        return UNKNOWN
    return shape.copy_modified(items=dims)


def _meet(member: ProperType, asked: Instance) -> Instance | None:
    """The arrays that are both; None if there are none, or `member` is not known to be an array."""
    if not isinstance(member, Instance) or not is_array(member) or len(member.args) != 2:
        return None
    dtype = _narrower(*(get_proper_type(array.args[0]) for array in (member, asked)))
    shape = _both(*(get_proper_type(array.args[1]) for array in (member, asked)))
    return None if dtype is None or shape is None else member.copy_modified(args=[dtype, shape])


def _narrower(a: ProperType, b: ProperType) -> ProperType | None:
    """Of two dtype classes the one below the other."""
    if not isinstance(a, Instance) or not isinstance(b, Instance):
        return a if isinstance(b, AnyType) else b
    if a.type.has_base(b.type.fullname):
        return a
    return b if b.type.has_base(a.type.fullname) else None


def _both(a: ProperType, b: ProperType) -> ProperType | None:
    """What is known of a shape of which two things are known."""
    if not isinstance(a, TupleType) or not isinstance(b, TupleType):
        return b if isinstance(b, TupleType) else a
    if any(isinstance(item, UnpackType) for item in a.items):
        return b
    if len(a.items) != len(b.items):
        return None
    pairs = [tuple(map(get_proper_type, pair)) for pair in zip(a.items, b.items, strict=True)]
    if any(isinstance(m, LiteralType) and isinstance(n, LiteralType) and m != n for m, n in pairs):
        return None
    # A type variable that is asked to be 3 remains one: what the function returns is declared with it.
    return a.copy_modified(items=[n if isinstance(m, AnyType) else m for m, n in pairs])
