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
    NoneType,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarType,
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
    if not isinstance(proper, Instance) or not is_array(proper) or len(proper.args) != 2:
        return None
    # To the class itself mypy narrows as to any other.
    open_ = all(isinstance(get_proper_type(arg), AnyType) for arg in proper.args)
    return None if open_ and not isinstance(expr, IndexExpr) else proper


def _ignore(*_args: Any, **_options: Any) -> None:
    """Of a wrong number of parameters mypy has spoken."""


def narrowed(declared: Type, checked: Instance) -> tuple[list[Instance], bool]:
    """Which arrays among `declared` are `checked`, and whether that is certain of every array among them.

    `isinstance` asks for dtypes and sizes. A type variable is any size to it, so that it adds nothing.
    """
    dtype, shape = map(get_proper_type, checked.args)
    asked = checked.copy_modified(args=[UNKNOWN if isinstance(dtype, TypeVarType) else dtype, _sizes(shape)])
    proper = get_proper_type(declared)
    members = [
        get_proper_type(member) for member in (proper.items if isinstance(proper, UnionType) else [proper])
    ]
    arrays = [member for member in members if isinstance(member, Instance) and is_array(member)]
    fitting = [both for array in arrays if (both := _meet(array, asked)) is not None]
    if not fitting or any(isinstance(member, AnyType) or _may_be_array(member, asked) for member in members):
        fitting.append(asked)
    plain = not isinstance(dtype, TypeVarType) and _is_plain(shape)
    certain = [_is_within(array, asked) and (plain or array == checked) for array in arrays]
    return fitting, bool(arrays) and all(certain)


def _may_be_array(member: ProperType, asked: Instance) -> bool:
    """Whether a value that is not declared as an array may be one."""
    if isinstance(member, Instance):
        return not is_array(member) and (asked.type.has_base(member.type.fullname) or member.type.is_protocol)
    return not isinstance(member, NoneType)


def _sizes(shape: ProperType) -> Type:
    """A shape with the sizes that `isinstance` asks for, if the rank is known."""
    items = list(map(get_proper_type, shape.items)) if isinstance(shape, TupleType) else [UNKNOWN]
    if not isinstance(shape, TupleType) or any(isinstance(item, UnpackType) for item in items):
        return UNKNOWN
    return shape.copy_modified(items=[item if isinstance(item, LiteralType) else UNKNOWN for item in items])


def _is_plain(shape: ProperType) -> bool:
    """Whether `_sizes` leaves out nothing that `isinstance` asks for: equal dims, bounds of type variables, a rank."""
    if isinstance(shape, Instance) and shape.type.fullname == "builtins.tuple":
        shape = get_proper_type(shape.args[0])
    if not isinstance(shape, TupleType):
        return isinstance(shape, AnyType)
    variables = [
        item for item in map(get_proper_type, shape.items) if not isinstance(item, (LiteralType, AnyType))
    ]
    free = [item for item in variables if isinstance(item, TypeVarType) and _is_any_size(item)]
    return len(variables) == len(free) == len({variable.id for variable in free})


def _is_any_size(variable: TypeVarType) -> bool:
    bound = get_proper_type(variable.upper_bound)
    return not variable.values and isinstance(bound, Instance) and bound.type.name in ("object", "int")


def _meet(member: Instance, asked: Instance) -> Instance | None:
    """The arrays that are both; None if there are none."""
    dtype = _narrower(*(get_proper_type(array.args[0]) for array in (member, asked)))
    shape = _both(*(get_proper_type(array.args[1]) for array in (member, asked)))
    return None if dtype is None or shape is None else member.copy_modified(args=[dtype, shape])


def _is_within(member: Instance, asked: Instance) -> bool:
    """Whether every array of `member` is one of `asked`."""
    dtype, asked_dtype = (get_proper_type(array.args[0]) for array in (member, asked))
    shape, asked_shape = (get_proper_type(array.args[1]) for array in (member, asked))
    if not isinstance(asked_dtype, AnyType) and (
        isinstance(dtype, AnyType) or _narrower(dtype, asked_dtype) != dtype
    ):
        return False
    if not isinstance(shape, TupleType) or not isinstance(asked_shape, TupleType):
        return isinstance(asked_shape, AnyType)
    return len(shape.items) == len(asked_shape.items) and all(
        isinstance(n, AnyType) or m == n for m, n in zip(shape.items, asked_shape.items, strict=True)
    )


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
