"""What mypy's types declare of arrays, as forms of the contracts."""

from __future__ import annotations

from collections.abc import Container

from mypy.types import (
    Instance,
    LiteralType,
    TupleType,
    Type,
    TypeVarId,
    TypeVarLikeType,
    TypeVarTupleType,
    TypeVarType,
    UnpackType,
    get_proper_type,
)

from jaxtyping_core.contracts.axes import ANY_AXES, ANY_AXIS, Axis
from jaxtyping_core.contracts.dim_strings import parse
from jaxtyping_core.contracts.forms import ArrayForm


def variables_form(array: Instance, own: Container[TypeVarId]) -> ArrayForm:
    """What the type of an array says by a function's `own` type variables alone."""

    def is_own(item: Type) -> bool:
        item = get_proper_type(item)
        item = item.type if isinstance(item, UnpackType) else item
        return isinstance(item, TypeVarLikeType) and item.id in own

    dtype, shape = map(get_proper_type, array.args)
    items = shape.items if isinstance(shape, TupleType) else ()
    others = [ANY_AXES if isinstance(get_proper_type(item), UnpackType) else ANY_AXIS for item in items]
    axes = [_axis(item) if is_own(item) else other for item, other in zip(items, others, strict=True)]
    variable = dtype.name if isinstance(dtype, TypeVarType) and is_own(dtype) else None
    return ArrayForm("", tuple(axes) if items else (ANY_AXES,), variable=variable, library="any")


def axis_of_text(item: Type) -> Axis | None:
    """The axis that a literal text in a shape is."""
    match get_proper_type(item):
        case UnpackType(type=Instance(args=(LiteralType(value=str() as name),))):
            return Axis(name=name, variadic=True, text=f"*{name}")
        case LiteralType(value=str() as text):
            return parse(text.replace(" ", ""))[0]  # a normal form has spaces
    return None


def _axis(item: Type) -> Axis:
    axis = axis_of_text(item)
    if axis is not None:
        return axis
    match get_proper_type(item):
        case TypeVarType(name=name):
            return Axis(name=name, text=name)
        case UnpackType(type=TypeVarTupleType(name=name)):
            return Axis(name=name, variadic=True, text=f"*{name}")
        case UnpackType():
            return ANY_AXES
        case LiteralType(value=int() as size):
            return Axis(sizes=frozenset([size]), text=str(size))
    return ANY_AXIS
