"""Annotations as programs write them: in jaxtyping's form where their dims come from a text, else in ours."""

from __future__ import annotations

from collections.abc import Iterator

from mypy.types import (
    Instance,
    LiteralType,
    TupleType,
    Type,
    TypeVarLikeType,
    TypeVarTupleType,
    TypeVarType,
    UnionType,
    UnpackType,
    get_proper_type,
)

from jaxtyping_core.contracts.dtype_names import ALIAS_OF_CLASS, NAME_OF_CLASS
from jaxtyping_core_mypy import names

#: The suffix of type variables that are dims of texts: `signatures` makes them.
SUFFIX = "@dim"


def without_suffixes(text: str) -> str:
    """A message of mypy's with dims as programs write them."""
    return text.replace(SUFFIX, "")


def name_of(variable: TypeVarLikeType) -> str:
    """A dim as programs write it."""
    return f"*{variable.name}" if isinstance(variable, TypeVarTupleType) else variable.name


def spell_annotation(typ: Type) -> str:
    """The annotation of an array, or of one that may be None."""
    proper = get_proper_type(typ)
    if isinstance(proper, UnionType):
        return " | ".join(spell_annotation(item) for item in proper.items)
    if not isinstance(proper, Instance) or proper.type.fullname not in names.ARRAYS or len(proper.args) != 2:
        return str(proper)
    dtype, shape = map(get_proper_type, proper.args)
    items = list(map(_item, shape.items)) if isinstance(shape, TupleType) else None
    element = dtype.type.name if isinstance(dtype, Instance) else None
    of_texts = [variable.fullname.endswith(SUFFIX) for variable in _variables(shape)]
    if any(of_texts) or _has_formula(shape):
        name = "Shaped" if element is None else NAME_OF_CLASS.get(element, element)
        return f'{name}[Array, "{"..." if items is None else " ".join(items)}"]'
    if isinstance(dtype, TypeVarType):
        rest = "" if items is None else f", tuple[{', '.join(items)}]"
        return f"Array[{dtype.name}{f', {shape.name}' if isinstance(shape, TypeVarType) else rest}]"
    name = "Array" if element is None else ALIAS_OF_CLASS.get(element, element)
    return name if items is None else f"{name}[{', '.join(items)}]"


def _variables(shape: Type) -> Iterator[TypeVarLikeType]:
    for item in shape.items if isinstance(shape, TupleType) else ():
        part: Type = get_proper_type(item)
        part = part.type if isinstance(part, UnpackType) else part
        if isinstance(part, TypeVarLikeType):
            yield part


def _has_formula(shape: Type) -> bool:
    """Whether there is arithmetic of dims, which only texts have."""
    items = map(get_proper_type, shape.items if isinstance(shape, TupleType) else ())
    return any(isinstance(item, LiteralType) and isinstance(item.value, str) for item in items)


def _item(item: Type) -> str:
    match get_proper_type(item):
        case TypeVarType() as variable:
            return name_of(variable)
        case UnpackType(type=TypeVarTupleType() as variable):
            return name_of(variable)
        case UnpackType(type=Instance(args=(LiteralType(value=str() as name),))):
            return f"*{name}"
        case UnpackType():
            return "..."
        case LiteralType(value=value):
            return str(value)
    return "_"
