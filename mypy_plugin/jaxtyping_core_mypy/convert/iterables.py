"""The parts of the types of tuples, iterables and variables."""

from __future__ import annotations

from mypy.nodes import Expression, NameExpr, TypeInfo, Var
from mypy.subtypes import is_subtype
from mypy.typeops import make_simplified_union
from mypy.types import (
    AnyType,
    FunctionLike,
    Instance,
    TupleType,
    Type,
    TypeType,
    UnionType,
    get_proper_type,
)

from jaxtyping_core_mypy.convert.abstract import is_array


def is_any(typ: Type) -> bool:
    """Whether nothing is known of a value of type `typ`."""
    return isinstance(get_proper_type(typ), AnyType)


def is_iterable(typ: Type) -> bool:
    """Whether `typ` has one type parameter, that of its items."""
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and len(proper.args) == 1


def item_of(typ: Type) -> Type:
    """The type of the items of an iterable."""
    proper = get_proper_type(typ)
    assert isinstance(proper, Instance)
    return proper.args[0]


def with_item(typ: Type, item: Type) -> Type:
    """An iterable with items of another type."""
    proper = get_proper_type(typ)
    assert isinstance(proper, Instance)
    return proper.copy_modified(args=[item])


def tuple_items(typ: Type) -> list[Type] | None:
    """The types of the items of a tuple of known length."""
    proper = get_proper_type(typ)
    return proper.items if isinstance(proper, TupleType) else None


def with_tuple_items(typ: Type, items: list[Type]) -> Type:
    """A tuple with items of other types."""
    proper = get_proper_type(typ)
    assert isinstance(proper, TupleType)
    return proper.copy_modified(items=items)


def is_one_of_several_arrays(typ: Type) -> bool:
    """Whether `typ` is a union of which more than one member is an array."""
    proper = get_proper_type(typ)
    return isinstance(proper, UnionType) and sum(map(is_array, proper.items)) > 1


def refuses_array(target: Expression, typ: Type) -> bool:
    """Whether the variable `target`, whose type mypy inferred, takes arrays but not one of type `typ`."""
    if not isinstance(target, NameExpr) or not isinstance(target.node, Var) or target.node.type is None:
        return False
    declared = get_proper_type(target.node.type)
    return is_array(typ) and is_array(declared) and target.node.is_inferred and not is_subtype(typ, declared)


def union_items(typ: Type) -> list[Type]:
    """The members of a union; none for what is no union."""
    proper = get_proper_type(typ)
    return proper.items if isinstance(proper, UnionType) else []


def open_member(typ: Type) -> Type | None:
    """The Any in a union, as Flax has it of `Module.apply`; None where there is none.

    With JAX's own types the result of a compiled function is Any, and nobody is asked to check which member it is.
    """
    return next(filter(is_any, union_items(typ)), None)


def union_of(types: list[Type]) -> Type:
    """The union of `types`."""
    return make_simplified_union(types)


def class_of(typ: Type) -> TypeInfo | None:
    """The class of an object, or the class that `typ` is the type of."""
    if isinstance(typ, TypeType):
        typ = typ.item
    if isinstance(typ, FunctionLike) and typ.is_type_obj():
        return typ.type_object()
    return typ.type if isinstance(typ, Instance) else None
