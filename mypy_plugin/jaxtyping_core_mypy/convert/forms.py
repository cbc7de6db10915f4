"""What mypy's types declare of arrays, as forms of the contracts."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from dataclasses import replace

from mypy.types import (
    AnyType,
    Instance,
    LiteralType,
    NoneType,
    TupleType,
    Type,
    TypeAliasType,
    TypeVarId,
    TypeVarLikeType,
    TypeVarTupleType,
    TypeVarType,
    UnionType,
    UnpackType,
    get_proper_type,
)

from jaxtyping_core._annotations.elements import ANY_ELEMENT, ElementTest, compile_elements
from jaxtyping_core._annotations.scalars import CLASSES
from jaxtyping_core.contracts.axes import ANY_AXES, ANY_AXIS, Axis
from jaxtyping_core.contracts.dim_strings import parse
from jaxtyping_core.contracts.forms import ArrayForm, Constants, Form, Items, Union, Unknown
from jaxtyping_core.contracts.values import OPEN, OneOf
from jaxtyping_core.domain import values
from jaxtyping_core.domain.arrays import AbstractArray
from jaxtyping_core_mypy import names
from jaxtyping_core_mypy.convert.abstract import is_array

#: What else there may be in a type than arrays is not compared.
OTHER = Unknown("it is no array")


def form_of(typ: Type, spell: Callable[[Type], str]) -> Form:
    """What a type says, with the text that messages have for an array in it."""
    if isinstance(typ, TypeAliasType) and typ.is_recursive:
        return OTHER
    match get_proper_type(typ):
        case NoneType():
            return Constants((None,))
        case UnionType(items=items):
            return Union(tuple(form_of(item, spell) for item in items))
        case TupleType(items=items):
            return Items(tuple(form_of(item, spell) for item in items))
        case Instance(args=[_, _]) as array if is_array(array):
            return replace(array_form(array), text=spell(array))
    return OTHER


def array_form(array: Instance) -> ArrayForm:
    """What the type of an array with its two parameters says; without `axes` it says nothing."""
    dtype, shape = map(get_proper_type, array.args)
    says_nothing = isinstance(dtype, AnyType) and not isinstance(shape, TupleType)
    is_key = isinstance(dtype, Instance) and dtype.type.fullname == names.PRNG_KEY
    axes = None if says_nothing else axes_of_type(shape)
    return ArrayForm("", axes, tuple(_elements(dtype)), key=is_key, library="any")


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


def axes_of_type(shape: Type) -> tuple[Axis, ...]:
    """The axes of a shape as mypy has it: dims are type variables, literal numbers and literal texts."""
    proper = get_proper_type(shape)
    return tuple(map(_axis, proper.items)) if isinstance(proper, TupleType) else (ANY_AXES,)


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


def _elements(dtype: Type) -> Iterator[ElementTest]:
    match get_proper_type(dtype):
        case UnionType(items=items):
            for item in items:
                yield from _elements(item)
        case TypeVarType(values=[first, *_]):
            yield from _elements(first)
        case TypeVarType(upper_bound=bound):
            yield from _elements(bound)
        case Instance(type=info) if (
            info.fullname == f"{names.SCALAR_TYPES}.{info.name}" and info.name in CLASSES
        ):
            yield from compile_elements(CLASSES[info.name])
        case _:
            yield ANY_ELEMENT


def comparable(value: values.Value) -> object:
    """An answer of the evaluation as it is compared with a form."""
    match value:
        case values.Array(dtypes=dtypes, weak=weak, shape=shape):
            return AbstractArray(dtypes, weak, shape)
        case values.Tuple(items=items):
            return tuple(map(comparable, items))
        case values.List(items=items):
            return list(map(comparable, items))
        case values.Static(value=held):
            return held
        case values.Either(members=members):
            return OneOf(tuple(map(comparable, members)))
    return OPEN
