"""What a function returns, and what it declares."""

from __future__ import annotations

from mypy.subtypes import is_subtype
from mypy.types import (
    AnyType,
    Instance,
    NoneType,
    TupleType,
    Type,
    UnionType,
    get_proper_type,
)

from jaxtyping_core_mypy.convert.abstract import is_array


def contradiction(actual: Type, declared: Type, written: Type) -> tuple[Type, Type, Type] | None:
    """The first array in a result that is certainly none of those declared there, what is declared, and how that is written."""
    given, expected, as_written = map(get_proper_type, (actual, declared, written))
    if isinstance(given, UnionType):
        each = [contradiction(item, declared, written) for item in given.items]
        return each[0] if each and all(each) else None
    if isinstance(given, TupleType) and isinstance(expected, TupleType) and isinstance(as_written, TupleType):
        if not len(given.items) == len(expected.items) == len(as_written.items):
            return None
        parts = zip(given.items, expected.items, as_written.items, strict=True)
        return next((found for part in parts if (found := contradiction(*part)) is not None), None)
    if not isinstance(given, Instance) or not is_array(given):
        return None
    members = [get_proper_type(option) for option in options(expected)]
    arrays = [option for option in members if is_array(option)]
    if not arrays or not all(is_array(option) or isinstance(option, NoneType) for option in members):
        return None
    return None if any(is_subtype(given, option) for option in arrays) else (given, declared, written)


def says_all(actual: Type, declared: Type) -> bool:
    """Whether what is known of a result is enough to tell that it is as declared."""
    given, expected = get_proper_type(actual), get_proper_type(declared)
    if isinstance(given, TupleType) and isinstance(expected, TupleType):
        return len(given.items) == len(expected.items) and all(map(says_all, given.items, expected.items))
    if not is_array(expected):
        return not isinstance(given, AnyType)
    if not isinstance(given, Instance) or not is_array(given) or len(given.args) != 2:
        return False
    assert isinstance(expected, Instance)
    dtype, shape = map(get_proper_type, given.args)
    wanted_dtype, wanted = map(get_proper_type, expected.args)
    if isinstance(dtype, AnyType) and not isinstance(wanted_dtype, AnyType):
        return False
    if isinstance(wanted, TupleType):
        return isinstance(shape, TupleType) and not any(
            isinstance(get_proper_type(item), AnyType) and not isinstance(get_proper_type(other), AnyType)
            for item, other in zip(shape.items, wanted.items, strict=False)
        )
    return True


def options(typ: Type) -> list[Type]:
    """The members of a union; a type alone that is none."""
    return list(typ.items) if isinstance(typ, UnionType) else [typ]
