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
    known, expected, as_written = map(get_proper_type, (actual, declared, written))
    if isinstance(known, UnionType):
        each = [contradiction(item, declared, written) for item in known.items]
        return each[0] if each and all(each) else None
    if isinstance(known, TupleType) and isinstance(expected, TupleType) and isinstance(as_written, TupleType):
        if not len(known.items) == len(expected.items) == len(as_written.items):
            return None
        parts = zip(known.items, expected.items, as_written.items, strict=True)
        return next((wrong for part in parts if (wrong := contradiction(*part)) is not None), None)
    if not isinstance(known, Instance) or not is_array(known):
        return None
    members = [get_proper_type(option) for option in options(expected)]
    arrays = [option for option in members if is_array(option)]
    if not arrays or not all(is_array(option) or isinstance(option, NoneType) for option in members):
        return None
    return None if any(is_subtype(known, option) for option in arrays) else (known, declared, written)


def says_all(actual: Type, declared: Type) -> bool:
    """Whether what is known of a result is enough to tell that it is as declared."""
    known, expected = get_proper_type(actual), get_proper_type(declared)
    if isinstance(known, TupleType) and isinstance(expected, TupleType):
        return len(known.items) == len(expected.items) and all(map(says_all, known.items, expected.items))
    if not is_array(expected):
        return not isinstance(known, AnyType)
    if not isinstance(known, Instance) or not is_array(known) or len(known.args) != 2:
        return False
    assert isinstance(expected, Instance)
    dtype, shape = map(get_proper_type, known.args)
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
