"""The types of dicts and lists of arrays: what their items have in common."""

from __future__ import annotations

from collections.abc import Sequence

from mypy.types import (
    AnyType,
    CallableType,
    Instance,
    TupleType,
    Type,
    TypeOfAny,
    TypeVarType,
    get_proper_type,
)

from jaxtyping_core_mypy import names

UNKNOWN = AnyType(TypeOfAny.special_form)


def merged(types: Sequence[Type]) -> Type:
    """A type for a value that has one of `types`: what differs is Any, never a class above all of them."""
    first, *others = [get_proper_type(typ) for typ in types] or [UNKNOWN]
    if all(other == first for other in others):
        return first
    if isinstance(first, TupleType):
        tuples = [other for other in others if isinstance(other, TupleType)]
        alike = [other for other in tuples if _shape(other) == _shape(first)]
        if len(alike) < len(others):
            return UNKNOWN
        columns = zip(first.items, *(other.items for other in alike), strict=True)
        return first.copy_modified(items=[merged(column) for column in columns])
    instances = [other for other in (first, *others) if isinstance(other, Instance)]
    # What may be the result of a call fits as one.
    kept = next(
        (each for each in instances if each.type.fullname in names.RESULTS),
        instances[0] if instances else None,
    )
    if kept is None or len(instances) < len(types):
        return UNKNOWN
    if any(_base(each) != _base(kept) or len(each.args) != len(kept.args) for each in instances):
        return UNKNOWN
    columns = zip(*(each.args for each in instances), strict=True)
    return kept.copy_modified(args=[merged(column) for column in columns])


def _base(typ: Instance) -> str:
    """The class of a container, whether it is the result of a call or not."""
    return names.RESULTS.get(typ.type.fullname, typ.type.fullname)


def is_container(typ: Type) -> bool:
    """Whether `typ` is a dict or a list."""
    proper = get_proper_type(typ)
    return isinstance(proper, Instance) and _base(proper) in names.RESULTS.values()


def _shape(typ: TupleType) -> tuple[object, int]:
    return typ.partial_fallback.type, len(typ.items)


def asks_for_nothing(context: Type | None) -> bool:
    """Whether the type that mypy expects somewhere says nothing about a dict or a list that is written out there."""
    proper = None if context is None else get_proper_type(context)
    if isinstance(proper, Instance):
        return proper.type.fullname == "builtins.object" or proper.type.fullname in names.RESULTS
    return proper is None or isinstance(proper, (AnyType, TypeVarType))


def last_of(typ: Type) -> Type:
    """The second item of a pair, what is under the keys of a dict, or the items of a list."""
    proper = get_proper_type(typ)
    if isinstance(proper, TupleType):
        return proper.items[-1]
    arguments = proper.args if isinstance(proper, Instance) else ()
    return arguments[-1] if arguments else UNKNOWN


def taking_anything(signature: Type) -> Type:
    """The signature of a method with Any for its last parameter."""
    assert isinstance(signature, CallableType)
    return signature.copy_modified(arg_types=[*signature.arg_types[:-1], UNKNOWN])


def has_text_keys(typ: Type) -> bool:
    """Whether all keys of a dict are texts."""
    proper = get_proper_type(typ)
    key = get_proper_type(proper.args[0]) if isinstance(proper, Instance) else None
    return isinstance(key, Instance) and key.type.fullname == "builtins.str"


def with_values(typ: Type, values: Sequence[Type]) -> Type:
    """A dict with these values, under any keys, or a list of them."""
    proper = get_proper_type(typ)
    assert isinstance(proper, Instance)
    return proper.copy_modified(args=[*proper.args[:-1], merged(values)])
