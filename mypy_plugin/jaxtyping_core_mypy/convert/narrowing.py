"""What an array is after `isinstance`, of which mypy's own answer has no dtype and no shape, and after other tests."""

from __future__ import annotations

from typing import Any

from mypy.nodes import Expression, IndexExpr, RefExpr, TypeAlias, TypeApplication, TypeInfo
from mypy.options import Options
from mypy.typeanal import instantiate_type_alias
from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    LiteralType,
    NoneType,
    ProperType,
    TupleType,
    Type,
    TypeOfAny,
    TypeType,
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
    """Which arrays among `declared` are `checked`, and whether every array among them certainly is."""
    dtype, shape = map(get_proper_type, checked.args)
    asked = certain_of(checked)
    proper = get_proper_type(declared)
    members = list(map(get_proper_type, proper.items if isinstance(proper, UnionType) else [proper]))
    arrays = [member for member in members if isinstance(member, Instance) and is_array(member)]
    fitting = [both for array in arrays if (both := _meet(array, asked)) is not None]
    others = len(arrays) < sum(not isinstance(member, NoneType) for member in members)
    exact = not isinstance(dtype, TypeVarType) and _is_plain(shape)
    certain = bool(arrays) and all(array == checked or (exact and array in fitting) for array in arrays)
    return fitting if fitting and not others else [*fitting, asked], certain


def certain_of(checked: Instance) -> Instance:
    """What an array is that passes a check for `checked`: a type variable is any size to it, and adds nothing."""
    dtype, shape = map(get_proper_type, checked.args)
    return checked.copy_modified(args=[UNKNOWN if isinstance(dtype, TypeVarType) else dtype, _sizes(shape)])


def checking(function: CallableType, checked: Instance) -> CallableType:
    """The signature of `is_array` in a call that asks for `checked`."""
    takes = [function.arg_types[0], *(UNKNOWN for _ in function.arg_types[1:])]
    return function.copy_modified(arg_types=takes, variables=[], type_is=certain_of(checked))


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
    dims = [dim for dim in map(get_proper_type, shape.items) if not isinstance(dim, (LiteralType, AnyType))]
    free = {dim.id for dim in dims if isinstance(dim, TypeVarType) and _is_any_size(dim)}
    return len(free) == len(dims)


def _is_any_size(variable: TypeVarType) -> bool:
    bound = get_proper_type(variable.upper_bound)
    return not variable.values and isinstance(bound, Instance) and bound.type.name in ("object", "int")


def _meet(member: Instance, asked: Instance) -> Instance | None:
    """The arrays that are both; None if there are none."""
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
    return a.copy_modified(items=[m if isinstance(n, AnyType) else n for m, n in pairs])


def asked_for(api: Any, types: list[Instance], certain: bool) -> Type:
    """What mypy narrows to `types`; where that is certain, it takes them away where the check fails."""
    if certain:
        union: Type = api.named_generic_type("types.UnionType", types)
        return union
    return UnionType.make_union([TypeType(typ) for typ in types])


def tuple_of_classes(api: Any, items: list[Type]) -> Type:
    """The type of a tuple of classes."""
    return TupleType(items, api.named_generic_type("builtins.tuple", [api.named_type("builtins.type")]))
